"""A store that cannot be used when the service starts, and can be later: the service is ready by itself."""

import asyncio
import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from extension.serving import store_faults as store_retry
from extension.store.data_folder import DataFolder
from extension.store.database import database
from extension.store.errors import DatabaseUnavailable
from tests.extension.running_service import KEY, OWN, SAID_BY_THE_GATEWAY, Reply, Running, running
from tests.postgresql.server import running_server

WITH_KEY = {"X-Management-Key": KEY}
Cure = Callable[[], None]
Harm = Callable[[Path, pytest.MonkeyPatch], Cure]


def read_only(folder: Path, _: pytest.MonkeyPatch) -> Cure:
    folder.mkdir(mode=0o500)
    return lambda: folder.chmod(0o700)


def without_room_for_the_key(_folder: Path, patch: pytest.MonkeyPatch) -> Cure:
    write = DataFolder.write_private

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    patch.setattr(DataFolder, "write_private", full)
    return lambda: patch.setattr(DataFolder, "write_private", write)


def without_room_for_the_database(_folder: Path, patch: pytest.MonkeyPatch) -> Cure:
    upgrade = database._upgrade

    def full(*_: object) -> None:
        raise DatabaseUnavailable("The database refused: database or disk is full.")

    patch.setattr(database, "_upgrade", full)
    return lambda: patch.setattr(database, "_upgrade", upgrade)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_retry, "FIRST_SECONDS", 0.05)
    monkeypatch.setattr(store_retry, "LONGEST_SECONDS", 0.05)


async def opened(service: Running) -> Reply:
    async with asyncio.timeout(60):
        while (reply := await service.get(f"{OWN}/pool", headers=WITH_KEY)).status != 200:
            pass
    return reply


@pytest.mark.parametrize("harm", [read_only, without_room_for_the_key, without_room_for_the_database])
async def test_a_service_whose_store_can_be_used_again_is_ready_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm: Harm
) -> None:
    folder = tmp_path / "data"
    cure = harm(folder, monkeypatch)
    async with running(folder) as service:
        inference = await service.get("/v1/models", headers=WITH_KEY)
        pool = await service.get(f"{OWN}/pool", headers=WITH_KEY)
        ready, lives = await service.get("/readyz"), await service.get("/livez")
        page = await service.get("/monitor/inspection")

        assert (inference.text, page.status, lives.status) == (SAID_BY_THE_GATEWAY, 200, 200)
        assert (pool.status, pool.json["code"]) == (503, "store_unavailable")
        assert "tried again by itself" in pool.json["hint"]
        assert (ready.status, ready.json["code"]) == (503, "store_unavailable")
        assert str(folder) not in ready.text

        cure()
        await opened(service)
        assert (await service.get("/readyz")).status == 200
        assert (folder / "service.json").exists(), "the command line finds the service"
        await service.log_in()
        info = await service.get(f"{OWN}/info")
        assert info.status == 200, "the session is of the new store"
    DataFolder.open(folder).close()


async def test_a_session_from_before_the_fault_counts_again(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    async with running(folder) as service:
        await service.log_in()
        cookies = {cookie.key: cookie.value for cookie in service.browser.cookie_jar}
    folder.chmod(0o500)
    async with running(folder) as service:
        assert (await service.get(f"{OWN}/info", cookies=cookies)).status != 200
        folder.chmod(0o700)
        await opened(service)
        assert (await service.get(f"{OWN}/info", cookies=cookies)).status == 200


async def test_a_folder_that_another_service_took_meanwhile_is_waited_for(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o500)
    async with running(folder) as service:
        folder.chmod(0o700)
        with DataFolder.open(folder):
            async with asyncio.timeout(20):
                while "in use" not in (reply := await service.get(f"{OWN}/pool", headers=WITH_KEY)).text:
                    pass
            assert (reply.json["code"], "by itself" in reply.json["hint"]) == ("store_unavailable", True)
        await opened(service)


async def test_a_database_server_that_is_away_at_the_start_is_used_once_it_is_there(tmp_path: Path) -> None:
    with running_server() as server:
        address = server.address(server.create())
        await asyncio.to_thread(server.stop)
        async with running(tmp_path / "data", POOLKEEPER_DATABASE_URL=address) as service:
            away = await service.get(f"{OWN}/pool", headers=WITH_KEY)
            assert (away.status, away.json["code"]) == (503, "store_unavailable")
            await asyncio.to_thread(server.start)
            await opened(service)
            assert (await service.get("/readyz")).status == 200
