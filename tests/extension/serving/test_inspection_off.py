"""Without its store the service says why inspection is off, and the gateway serves on."""

import asyncio
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from adapter.fake import FakeConnection
from extension.plugin.asgi import AsgiCaller
from extension.plugin.v1.plugin_pb2 import HttpRequest
from extension.serving.composition import compose
from extension.serving.web.lifespan import lifespan_of
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.errors import InstallationKeyLost
from extension.store.integrity import Integrity
from tests.extension.running_service import KEY, OWN, SAID_BY_THE_GATEWAY, Reply, running
from tools.project.demo.ports import free_port

WITH_KEY = {"X-Management-Key": KEY}


def damaged(folder: Path) -> None:
    (folder / "poolkeeper.db").write_bytes(b"not a database at all" * 1_000)


def of_another_version(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "poolkeeper.db")) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()


def without_key(folder: Path) -> None:
    (folder / "secret.key").unlink()


def with_half_a_key(folder: Path) -> None:
    (folder / "secret.key").write_text("abc", encoding="ascii")


@pytest.mark.parametrize("harm", [damaged, of_another_version, without_key, with_half_a_key])
async def test_a_store_that_cannot_be_used_switches_inspection_off_and_nothing_else(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    folder = tmp_path / "data"
    async with running(folder):
        pass
    harm(folder)

    async with running(folder) as service:
        inference = await service.get("/v1/models", headers=WITH_KEY)
        pool = await service.get(f"{OWN}/pool", headers=WITH_KEY)
        stranger = await service.get(f"{OWN}/pool")
        signing_in = await service.post(f"{OWN}/info/session", json={"key": KEY})
        page = await service.get("/monitor/inspection")

    assert (inference.status, inference.text) == (200, SAID_BY_THE_GATEWAY)
    assert_off(pool)
    assert_off(signing_in)
    assert pool.json["error"] != signing_in.json["error"]
    assert str(folder) not in signing_in.text
    assert (stranger.status, page.status) == (401, 200)


def assert_off(reply: Reply) -> None:
    assert (reply.status, reply.json["code"]) == (503, "inspection_off")
    assert "move poolkeeper.db away" in reply.json["hint"]
    assert reply.json["hint"] not in reply.json["error"], "the hint is said once"


async def test_a_database_that_is_not_reached_is_named_to_everyone_without_its_address(
    tmp_path: Path,
) -> None:
    address = f"postgresql://the-user:the-password@127.0.0.1:{free_port()}/the-name"
    application = compose(FakeConnection(), {"POOLKEEPER_DATA_DIR": str(tmp_path), "POOLKEEPER_DATABASE_URL": address})
    async with lifespan_of(application, {"type": "lifespan", "state": {}}):
        answer = await AsgiCaller(application).whole(HttpRequest(method="GET", path="/readyz"), 20)

    assert answer.status == 503
    assert b"nothing listens there" in answer.body
    assert b"the-" not in answer.body


def test_a_command_of_its_own_is_still_refused_without_the_key(tmp_path: Path) -> None:
    with DataFolder.open(tmp_path / "data") as folder:
        folder.database.write_text("x", encoding="ascii")
    with pytest.raises(InstallationKeyLost):
        compose(FakeConnection(), {"POOLKEEPER_DATA_DIR": str(tmp_path / "data")}, schedules=False)


def dropped_table(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "poolkeeper.db")) as database:
        database.execute("DROP TABLE events")
        database.commit()


def deleted_database(folder: Path) -> None:
    (folder / "poolkeeper.db").unlink()


def replaced_database(folder: Path) -> None:
    (folder / "poolkeeper.db").rename(folder / "old.db")
    (folder / "poolkeeper.db").touch()


def with_another_key(folder: Path) -> None:
    (folder / "secret.key").write_text("ab" * 32, encoding="ascii")


def with_a_pipe_for_a_key(folder: Path) -> None:
    (folder / "secret.key").unlink()
    os.mkfifo(folder / "secret.key")


HARM = (dropped_table, deleted_database, replaced_database, without_key)
OVERWRITTEN = (with_half_a_key, with_another_key, with_a_pipe_for_a_key)


@pytest.mark.parametrize("harm", [*HARM, *OVERWRITTEN])
async def test_a_file_or_table_that_goes_missing_is_noticed(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    with DataFolder.open(tmp_path / "data") as folder:
        (folder.path / "secret.key").write_text("cd" * 32, encoding="ascii")
        database = await Database.open(folder)
        integrity = Integrity.of(folder)
        before = await integrity.fault(database)
        await asyncio.to_thread(harm, folder.path)
        after = await integrity.fault(database)
        await database.close()

    assert before is None
    assert after is not None
    assert "Stop the service" in str(after)


async def test_the_same_key_in_a_new_file_is_no_fault(tmp_path: Path) -> None:
    with DataFolder.open(tmp_path / "data") as folder:
        key = folder.path / "secret.key"
        key.write_text("cd" * 32, encoding="ascii")
        database = await Database.open(folder)
        integrity = Integrity.of(folder)
        (folder.path / "restored").write_text("cd" * 32 + "\n", encoding="ascii")
        (folder.path / "restored").replace(key)
        fault = await integrity.fault(database)
        await database.close()
    assert fault is None


async def test_a_running_service_switches_inspection_off_when_a_file_goes_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("extension.serving.service._EXAMINED_SECONDS", 0.01)
    async with running(tmp_path / "data") as service:
        assert (await service.get(f"{OWN}/info", headers=WITH_KEY)).status == 200
        deleted_database(tmp_path / "data")
        while (reply := await service.get(f"{OWN}/info", headers=WITH_KEY)).status == 200:
            pass
        assert (await service.get("/v1/models", headers=WITH_KEY)).text == SAID_BY_THE_GATEWAY
    assert_off(reply)


async def test_a_start_without_the_database_of_before_says_that_the_records_begin_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "data"
    async with running(folder):
        pass
    assert "begin anew" not in capsys.readouterr().err
    (folder / "poolkeeper.db").unlink()

    async with running(folder) as service:
        pool = await service.get(f"{OWN}/pool", headers=WITH_KEY)

    assert pool.status == 200
    log = capsys.readouterr().err
    assert "poolkeeper.db is not there" in log
    assert "restore the file from a backup" in log


async def test_a_missing_driver_is_to_be_installed_and_nothing_restored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "extension.store.database.postgresql", None)
    async with running(tmp_path / "data", POOLKEEPER_DATABASE_URL="postgresql://user@db.example/name") as service:
        pool = await service.get(f"{OWN}/pool", headers=WITH_KEY)
        ready = await service.get("/readyz")

    assert (pool.status, ready.status, pool.json["code"]) == (503, 503, "inspection_off")
    assert "driver of PostgreSQL is not installed" in pool.json["error"]
    assert "pip install 'poolkeeper[fleet]'" in pool.json["hint"]
    assert not [word for word in ("restore", "backup", "poolkeeper.db") if word in pool.text]


@pytest.mark.parametrize("address", ["postgresql://user@:port:/name", "postgresql://u:p@[::1/d"])
async def test_an_address_that_does_not_fit_is_to_be_corrected(tmp_path: Path, address: str) -> None:
    async with running(tmp_path / "data", POOLKEEPER_DATABASE_URL=address) as service:
        pool = await service.get(f"{OWN}/pool", headers=WITH_KEY)

    assert pool.status == 503
    assert pool.json["hint"].startswith("Correct that, then start the service again.")
