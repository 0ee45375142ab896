"""A server of a database whose processes are stopped: it refuses nothing, and is noticed all the same."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from adapter.privacy.secret import Secret
from extension.store.data_folder import DataFolder
from extension.store.database import database as database_module
from extension.store.database.database import Database
from extension.store.database.opening import server_storage
from tests.extension.running_service import KEY, OWN, running
from tests.postgresql.server import PostgreSQLServer, running_server

WITH_KEY = {"X-Management-Key": KEY}
EVENTS = f"{OWN}/inspections/events"


@pytest.fixture
def server() -> Iterator[PostgreSQLServer]:
    with running_server() as server:
        try:
            yield server
        finally:
            server.thaw()


@pytest.mark.soak
async def test_a_frozen_server_is_noticed_in_time_and_everything_goes_on_by_itself(
    tmp_path: Path, server: PostgreSQLServer
) -> None:
    address = server.address(server.create())
    async with running(tmp_path / "data", POOLKEEPER_DATABASE_URL=address) as service:
        assert (await service.get("/readyz")).status == 200
        stream = asyncio.create_task(
            service.get(f"{EVENTS}?after=0", headers={**WITH_KEY, "Accept": "text/event-stream"})
        )
        await asyncio.sleep(0.2)
        server.freeze()
        frozen = monotonic()
        answers = await asyncio.gather(*(service.get("/readyz") for _ in range(12)))
        assert {answer.status for answer in answers} == {503}
        await stream
        for path in (EVENTS, f"{OWN}/inspections?limit=1"):
            answer = await service.get(path, headers=WITH_KEY)
            assert (answer.status, "does not answer" in answer.json["error"]) == (503, True), answer.text
        assert monotonic() - frozen < 10
        await asyncio.sleep(6)  # a connection that is tried meanwhile is given up by itself
        assert (await service.get("/readyz")).status == 503

        server.thaw()
        async with asyncio.timeout(10):
            while (await service.get("/readyz")).status != 200:  # noqa: ASYNC110 - the service is asked, as a client does
                await asyncio.sleep(0.1)
        assert (await service.get(EVENTS, headers=WITH_KEY)).status == 200
        server.freeze()
        frozen = monotonic()
    assert monotonic() - frozen < 12, "it ends in time although its server is frozen"


async def test_a_long_statement_and_a_lock_are_not_taken_for_it(
    tmp_path: Path, server: PostgreSQLServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in (("PULSE_SECONDS", 0.05), ("SILENT_SECONDS", 0.5), ("GRACE_SECONDS", 0.2)):
        monkeypatch.setattr(database_module, name, seconds)
    address = server.address(server.create())
    with DataFolder.open(tmp_path) as folder:
        database = await Database.open(folder, storage=server_storage(Secret(address)))
        watching = asyncio.create_task(database.watch())
        slow = "SELECT pg_sleep(2)"
        await asyncio.gather(
            database.read(lambda transaction: transaction.exec_driver_sql(slow)),
            database.write(lambda transaction: transaction.exec_driver_sql(slow)),
        )
        database.health.require()
        await database.close()
        watching.cancel()
        await asyncio.wait({watching})
