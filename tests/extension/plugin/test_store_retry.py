"""A store that cannot be used while the service starts: tried again by itself, less and less often."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from starlette.types import Receive, Scope, Send

from adapter.clock import FakeClock
from adapter.privacy.secret import Secret
from extension.plugin.leased_service import LeasedService, Opened
from extension.plugin.management_key import KeySource
from extension.plugin.process import _opened
from extension.plugin.settings import PluginSettings, read_settings
from extension.plugin.v1.plugin_pb2 import ConfigureRequest, HostInfo
from extension.serving.errors import NotStarted
from extension.serving.web.lifespan import lifespan_of
from extension.store.data_folder import DataFolder
from extension.store.database import database
from extension.store.errors import DatabaseUnavailable, DataFolderUnusable, StoreError
from tests.adapter.management.stand_in import KEY, StandIn, standing
from tests.extension.plugin.test_leased_service import one_thread, passes, settings
from tests.extension.plugin.test_wrong_key import answer_of

__all__ = ["one_thread"]

FULL = "The data folder cannot be used: No space left on device. Make room on its disk."


@dataclass
class FullDisk:
    """Stands for a service on a disk without room: when it was tried, and whether it opens now."""

    clock: FakeClock
    full: bool = True
    in_the_start: bool = False
    tried: list[float] = field(default_factory=list)

    def opening(self, settings: PluginSettings, _key: Secret) -> Opened:
        self.tried.append(self.clock.now_ms() / 1000)
        fault = DataFolderUnusable(FULL) if self.full else None
        if fault and not self.in_the_start:
            raise fault
        folder = DataFolder.open(settings.folder)

        async def application(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http":
                await send({"type": "http.response.start", "status": 200, "headers": []})
                await send({"type": "http.response.body", "body": b"{}"})
                return
            await receive()
            if fault:
                folder.close()
                await send({"type": "lifespan.startup.failed", "message": str(fault)})
                return
            await send({"type": "lifespan.startup.complete"})
            await receive()
            folder.close()
            await send({"type": "lifespan.shutdown.complete"})

        return Opened(application, store_fault=lambda: fault)


@asynccontextmanager
async def started(disk: FullDisk, folder: Path) -> AsyncIterator[LeasedService]:
    service = LeasedService(disk.opening, disk.clock)
    task = asyncio.create_task(service.run())
    service.configure(settings(folder / "data"))
    await passes(disk.clock, 4)
    try:
        yield service
    finally:
        service.end()
        await task


@pytest.mark.parametrize("in_the_start", [False, True])
async def test_a_full_disk_is_tried_again_with_growing_pauses_until_there_is_room(
    tmp_path: Path, *, in_the_start: bool
) -> None:
    disk = FullDisk(FakeClock(), in_the_start=in_the_start)
    async with started(disk, tmp_path) as service:
        problem = await answer_of(service)
        assert (problem["code"], problem["error"]) == ("store_unavailable", f"Inspection is off: {FULL}")
        assert "tried again by itself" in problem["hint"]

        await passes(disk.clock, 300)
        pauses = [later - sooner for sooner, later in zip(disk.tried, disk.tried[1:], strict=False)]
        assert [round(pause) for pause in pauses[:6]] == [5, 10, 20, 40, 60, 60]

        disk.full = False
        await passes(disk.clock, 61)
        assert await answer_of(service) == {}


@pytest.mark.parametrize(("fault", "named"), [(DatabaseUnavailable(FULL), True), (DataFolderUnusable(FULL), False)])
async def test_an_address_from_the_environment_needs_a_restart(
    tmp_path: Path, fault: StoreError, *, named: bool
) -> None:
    host = HostInfo(config_path=str(tmp_path / "config.yaml"))
    request = ConfigureRequest(settings_yaml=b"gateway-url: http://127.0.0.1:1", host=host)
    address = {"POOLKEEPER_DATABASE_URL": "postgresql://u:wrong@127.0.0.1/x", "MANAGEMENT_PASSWORD": "key"}
    settings = read_settings(request, address)

    def opening(_settings: PluginSettings, _key: Secret) -> Opened:
        raise fault

    clock = FakeClock()
    service = LeasedService(opening, clock)
    task = asyncio.create_task(service.run())
    service.configure(settings)
    await passes(clock, 4)
    hint = (await answer_of(service))["hint"]
    service.end()
    await task

    assert ("restart the gateway" in hint, "tried again by itself" in hint) == (named, True)
    assert "wrong" not in hint


async def test_changed_settings_are_tried_at_once_and_with_short_pauses_again(tmp_path: Path) -> None:
    disk = FullDisk(FakeClock())
    async with started(disk, tmp_path) as service:
        await passes(disk.clock, 100)
        disk.tried.clear()
        service.configure(settings(tmp_path / "data", "other"))
        await passes(disk.clock, 6)
        assert len(disk.tried) == 2


def plugin_settings(address: str, folder: Path) -> PluginSettings:
    environment = {"POOLKEEPER_DATA_DIR": str(folder), "POOLKEEPER_LOG_LEVEL": "error"}
    return PluginSettings(address, KeySource(value=Secret(KEY)), environment, folder, "poolkeeper")


async def test_a_folder_that_cannot_be_written_ends_the_start_of_the_real_service(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o500)
    with pytest.raises(DataFolderUnusable, match="read-only"):
        _opened(plugin_settings("http://127.0.0.1:1", folder), Secret(KEY))


async def test_a_database_without_room_ends_the_start_of_the_real_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise DatabaseUnavailable("The database refused: database or disk is full.")

    monkeypatch.setattr(database, "_upgrade", refuse)
    async with standing(StandIn()) as place:
        made = _opened(plugin_settings(place.address, tmp_path / "data"), Secret(KEY))
        with pytest.raises(NotStarted, match="disk is full"):
            async with lifespan_of(made.application, {"type": "lifespan", "state": {}}):
                raise AssertionError("it must not start")
        assert isinstance(made.store_fault(), DatabaseUnavailable)
        DataFolder.open(tmp_path / "data").close()


async def test_a_damaged_database_leaves_the_start_alone_because_it_has_to_be_restored(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with DataFolder.open(folder) as opened:
        opened.write_private(opened.path / "secret.key", f"{'ab' * 32}\n")
        opened.database.write_bytes(b"not a database at all" * 1_000)
    async with standing(StandIn()) as place:
        made = _opened(plugin_settings(place.address, folder), Secret(KEY))
        async with lifespan_of(made.application, {"type": "lifespan", "state": {}}):
            assert made.store_fault() is None
