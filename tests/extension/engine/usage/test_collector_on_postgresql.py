"""A PostgreSQL server that is restarted while records are collected: what was popped is kept and stored then."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapter.privacy.secret import Secret
from extension.store.data_folder import DataFolder
from extension.store.database.postgresql import PostgreSQLStorage
from tests.extension.engine.usage.stage import WITHOUT_SUBSCRIPTION, CollectorStage, WatchedDatabase, closed
from tests.postgresql.server import PostgreSQLServer, running_server


@pytest.fixture
def server() -> Iterator[PostgreSQLServer]:
    """A server of this test alone, which is stopped as by a power cut and waits for the disk."""
    with running_server(durable=True) as running:
        yield running


@pytest.mark.soak
async def test_a_restart_of_the_server_loses_no_popped_record_and_stores_none_twice(
    tmp_path: Path, server: PostgreSQLServer
) -> None:
    with DataFolder.open(tmp_path / "data") as folder:
        stage = CollectorStage(folder, WITHOUT_SUBSCRIPTION)
        storage = PostgreSQLStorage(Secret(server.address(server.create())))
        stage.database = await WatchedDatabase.open(folder, stage.clock, storage)
        collector = await stage.collector()
        collector.open()
        stage.spend(3)
        await stage.stored_count(collector, 3)

        await asyncio.to_thread(server.stop, "immediate")
        stage.spend(4)
        await stage.until(lambda: "Check that PostgreSQL runs" in collector.status.problem.text)
        stage.spend(2)
        await asyncio.to_thread(server.start)

        await stage.stored_count(collector, 9)
        assert await stage.stored() == list(range(1, 10))
        await closed(stage, collector)
