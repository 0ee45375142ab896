"""A store that stops answering while the service runs: the service says so by itself, and goes on by itself."""

import asyncio
import errno
import os
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from extension.serving import service as service_module
from extension.store.data_folder import DataFolder
from extension.store.database import health
from extension.store.database.database import Database
from tests.extension.running_service import KEY, OWN, Running, running
from tests.postgresql.server import running_server

WITH_KEY = {"X-Management-Key": KEY}
EVENTS = f"{OWN}/inspections/events"
STREAM = {**WITH_KEY, "Accept": "text/event-stream"}


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "TRY_SECONDS", 0.05)
    monkeypatch.setattr(service_module, "_EXAMINED_SECONDS", 0.05)


async def readiness(service: Running, status: int) -> None:
    async with asyncio.timeout(10):
        while (await service.get("/readyz")).status != status:
            pass


async def test_a_server_that_goes_away_ends_the_streams_and_refuses_the_events_until_it_is_back(tmp_path: Path) -> None:
    with running_server() as server:
        address = server.address(server.create())
        async with running(tmp_path / "data", POOLKEEPER_DATABASE_URL=address) as service:
            assert (await service.get(EVENTS, headers=WITH_KEY)).status == 200
            stream = asyncio.create_task(service.get(f"{EVENTS}?after=0", headers=STREAM))
            await asyncio.sleep(0.2)
            assert not stream.done()

            await asyncio.to_thread(server.stop)
            async with asyncio.timeout(10):
                ending = await stream
            assert "retry: 250" in ending.text, "a browser comes back at once"
            again = await service.get(f"{EVENTS}?after=0", headers=STREAM)
            polled = await service.get(EVENTS, headers=WITH_KEY)
            assert [(answer.status, answer.json["code"]) for answer in (again, polled)] == [(503, "store")] * 2
            assert "PostgreSQL" in polled.json["error"]
            assert (await service.get("/readyz")).status == 503

            await asyncio.to_thread(server.start)
            await readiness(service, 200)
            assert (await service.get(EVENTS, headers=WITH_KEY)).status == 200


async def test_a_disk_that_fills_is_seen_by_the_readiness_without_any_request_that_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path / "data") as service:
        await readiness(service, 200)
        write = os.write

        def full(descriptor: int, data: bytes) -> int:
            if len(data) > 60_000:
                raise OSError(errno.ENOSPC, "No space left on device")
            return write(descriptor, data)

        monkeypatch.setattr(os, "write", full)
        await readiness(service, 503)
        events = await service.get(EVENTS, headers=WITH_KEY)
        assert (events.status, "No space left on device" in events.json["error"]) == (503, True)
        assert (await service.get("/livez")).status == 200
        assert not (tmp_path / "data" / ".room").exists()

        monkeypatch.setattr(os, "write", write)
        await readiness(service, 200)


async def test_a_write_that_failed_counts_until_one_succeeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "TRY_SECONDS", 0.0)
    with DataFolder.open(tmp_path) as folder:
        database = await Database.open(folder)

        def full(_: object) -> None:
            raise OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full"))

        with pytest.raises(Exception, match="disk is full"):
            await database.write(full)
        with pytest.raises(Exception, match="disk is full"):
            database.health.require()
        before = await database.read(lambda transaction: transaction.exec_driver_sql("SELECT 1").scalar())
        assert (before, database.health.fault is None) == (1, False), "a read proves nothing"
        await database.prove()
        database.health.require()
        await database.close()


async def test_a_refused_statement_says_nothing_about_the_database(tmp_path: Path) -> None:
    with DataFolder.open(tmp_path) as folder:
        database = await Database.open(folder)
        with pytest.raises(Exception, match="refused"):
            await database.write(
                lambda transaction: transaction.exec_driver_sql(
                    "INSERT INTO alembic_version SELECT version_num FROM alembic_version"
                )
            )
        database.health.require()
        await database.close()
