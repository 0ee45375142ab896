from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from extension.engine.errors import RunActive
from extension.engine.runs.transition import Lease
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON
from extension.store import events
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.records import RunRecord
from extension.store.run_state import RunState
from extension.store.runs import runs
from tests.extension.store.rows import NOW, add_accounts, add_pool, add_run


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    with DataFolder.open(tmp_path / "data") as folder:
        opened = await Database.open(folder)
        yield opened
        await opened.close()


def left_active(transaction: Transaction, state: RunState) -> RunRecord:
    pool = add_pool(transaction)
    run = add_run(transaction, pool, add_accounts(transaction, pool, 2))
    runs.set_state(transaction, run.id, state, reason=NO_REASON, finished_at=None, owner="a process that is gone")
    return run


@pytest.mark.parametrize(
    ("state", "after"),
    [
        (RunState.QUEUED, RunState.INTERRUPTED),
        (RunState.RUNNING, RunState.INTERRUPTED),
        (RunState.PAUSED, RunState.INTERRUPTED),
        (RunState.FINISHING, RunState.INTERRUPTED),
        (RunState.STOPPING, RunState.STOPPED),
    ],
)
async def test_a_run_of_a_dead_process_is_taken_away_with_an_event(
    database: Database, state: RunState, after: RunState
) -> None:
    run = await database.write(left_active, state)
    lease = Lease(run.pool_id)
    taken = await database.write(lease.take_over_stale, NOW + 1, working_on=None)
    assert taken is not None
    assert (taken.id, taken.state, taken.finished_at) == (run.id, after, NOW + 1)
    assert taken.reason.codes == (ReasonCode.SERVICE_ENDED,)
    (event,) = await database.read(events.after, 0, run.id, 10)
    assert event.data["state"] == after
    await database.write(lease.require_free)


async def test_the_run_this_process_works_on_is_left_alone(database: Database) -> None:
    run = await database.write(left_active, RunState.RUNNING)
    lease = Lease(run.pool_id)
    assert await database.write(lease.take_over_stale, NOW, working_on=run.id) is None
    with pytest.raises(RunActive):
        await database.write(lease.require_free)


async def test_another_pool_is_not_held(database: Database) -> None:
    run = await database.write(left_active, RunState.RUNNING)
    await database.write(Lease(run.pool_id + 1).require_free)


async def test_a_run_that_is_over_is_not_taken(database: Database) -> None:
    run = await database.write(left_active, RunState.FINISHED)
    lease = Lease(run.pool_id)
    assert await database.write(lease.take_over_stale, NOW, working_on=None) is None
