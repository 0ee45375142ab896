import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from adapter.clock import FakeClock
from extension.engine.runs.result_writer import BATCH, ResultWriter
from extension.store import events
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.errors import DatabaseTrouble
from extension.store.records import EventKind, EventRecord
from extension.store.runs import results, runs
from tests.extension.store.rows import a_result, add_accounts, add_pool, add_run

ACCOUNTS = 600


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    with DataFolder.open(tmp_path / "data") as folder:
        opened = await Database.open(folder)
        yield opened
        await opened.close()


def prepare(transaction: Transaction) -> tuple[int, tuple[int, ...]]:
    pool = add_pool(transaction)
    accounts = add_accounts(transaction, pool, ACCOUNTS)
    return add_run(transaction, pool, accounts).id, accounts


async def log(database: Database) -> tuple[EventRecord, ...]:
    return await database.read(events.after, 0, None, 10_000)


async def test_what_waits_lands_together_and_is_told_in_batches_of_limited_size(database: Database) -> None:
    run, accounts = await database.write(prepare)
    async with ResultWriter(database, FakeClock(), run, pool_id=1) as result_writer:
        await asyncio.gather(*(result_writer.store(a_result(run, account)) for account in accounts))
    batches = [event.data["seqs"] for event in await log(database) if event.kind is EventKind.RESULT]
    assert [len(seqs) for seqs in batches] == [BATCH, ACCOUNTS - BATCH]
    progress = [event.data["done"] for event in await log(database) if event.kind is EventKind.RUN_PROGRESS]
    assert progress == [BATCH, ACCOUNTS]
    assert await database.read(runs.unprobed, run) == ()


async def test_a_result_is_stored_when_landing_returns(database: Database) -> None:
    run, (account, *_) = await database.write(prepare)
    async with ResultWriter(database, FakeClock(), run, pool_id=1) as result_writer:
        await result_writer.store(a_result(run, account))
        assert len(await database.read(results.of_run, run, 0, 9)) == 1


async def test_a_result_that_was_handed_over_lands_although_its_worker_is_cancelled(database: Database) -> None:
    run, (account, *_) = await database.write(prepare)
    async with ResultWriter(database, FakeClock(), run, pool_id=1) as result_writer:
        handing = asyncio.ensure_future(result_writer.store(a_result(run, account)))
        await asyncio.sleep(0)
        handing.cancel()
    assert handing.cancelled()
    assert len(await database.read(results.of_run, run, 0, 9)) == 1


async def test_a_result_that_cannot_be_stored_is_told_to_its_worker_and_leaves_no_event(database: Database) -> None:
    run, (account, other, *_) = await database.write(prepare)
    async with ResultWriter(database, FakeClock(), run, pool_id=1) as result_writer:
        await result_writer.store(a_result(run, account))
        before = await log(database)
        with pytest.raises(DatabaseTrouble, match="UNIQUE"):
            await result_writer.store(a_result(run, account))
        assert await log(database) == before
        await result_writer.store(a_result(run, other))
    record = await database.read(runs.get, run, 1)
    assert record is not None
    assert record.done == 2


async def test_a_result_that_no_database_can_hold_is_told_to_its_worker_and_the_others_land(database: Database) -> None:
    run, (account, other, *_) = await database.write(prepare)
    async with ResultWriter(database, FakeClock(), run, pool_id=1) as result_writer, asyncio.timeout(5):
        with pytest.raises(OverflowError):
            await result_writer.store(replace(a_result(run, account), resets_at=2**80))
        await result_writer.store(a_result(run, other))
