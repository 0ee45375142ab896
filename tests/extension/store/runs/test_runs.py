from dataclasses import replace

import pytest

from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, because
from extension.store.database.database import Database, Transaction
from extension.store.errors import DatabaseTrouble
from extension.store.records import NewResult, RunRecord
from extension.store.run_state import ACTIVE, RunState
from extension.store.runs import results, runs
from extension.store.schema.tables import ACTIVE_STATES
from tests.extension.store.rows import BOTH_DATABASES, NOW, a_result, add_accounts, add_pool, add_run

WHY = because(ReasonCode.CONCURRENCY_LOWERED, most=4, limit=32)


def make_run(transaction: Transaction, count: int = 3) -> tuple[RunRecord, tuple[int, ...]]:
    pool = add_pool(transaction)
    accounts = add_accounts(transaction, pool, count)
    return add_run(transaction, pool, accounts), accounts


async def test_a_new_run_is_queued_with_its_accounts(database: Database) -> None:
    run, accounts = await database.write(make_run)
    assert run == RunRecord(
        id=run.id,
        pool_id=1,
        state=RunState.QUEUED,
        account_source="api_key",
        target_type="compat",
        settings={"workers": 2},
        total=3,
        done=0,
        verdicts={},
        recommendations={},
        started_at=NOW,
        finished_at=None,
        started_by="anna",
        reason=NO_REASON,
        gateway_seconds_per_call=0.0125,
    )
    assert await database.read(lambda transaction: runs.get(transaction, run.id, 1)) == run
    assert await database.read(lambda transaction: runs.unprobed(transaction, run.id)) == accounts


async def test_a_run_of_another_pool_is_not_found(database: Database) -> None:
    run, _ = await database.write(make_run)
    assert await database.read(lambda transaction: runs.get(transaction, run.id, 2)) is None


@BOTH_DATABASES
async def test_counts_grow_with_what_lands(database: Database) -> None:
    run, (one, two, three) = await database.write(make_run)

    def land(transaction: Transaction, *landed: NewResult) -> runs.Counts:
        results.add(transaction, landed)
        return runs.count(transaction, run.id, landed)

    await database.write(lambda t: land(t, a_result(run.id, one), a_result(run.id, two, "forbidden", "disable")))
    after = await database.write(lambda t: land(t, a_result(run.id, three)))
    assert (after.done, after.verdicts, after.recommendations) == (
        3,
        {"healthy": 2, "forbidden": 1},
        {"keep": 2, "disable": 1},
    )


async def test_only_accounts_without_a_result_are_unprobed(database: Database) -> None:
    run, (one, two, three) = await database.write(make_run)
    await database.write(lambda transaction: results.add(transaction, [a_result(run.id, two)]))
    assert await database.read(lambda transaction: runs.unprobed(transaction, run.id)) == (one, three)


@BOTH_DATABASES
async def test_the_schema_itself_allows_one_active_run_a_pool(database: Database) -> None:
    await database.write(make_run)
    with pytest.raises(DatabaseTrouble, match=r"UNIQUE constraint failed: runs\.pool_id|uq_runs_active"):
        await database.write(make_run)


@pytest.mark.parametrize("state", sorted(set(RunState) - ACTIVE))
async def test_an_ended_run_leaves_room_for_the_next(database: Database, state: RunState) -> None:
    run, _ = await database.write(make_run)
    await database.write(
        lambda transaction: runs.set_state(transaction, run.id, state, reason=WHY, finished_at=NOW + 9, owner="me")
    )
    assert await database.read(lambda transaction: runs.active(transaction, 1)) is None
    ended = await database.read(lambda transaction: runs.get(transaction, run.id, 1))
    assert ended == replace(run, state=state, reason=WHY, finished_at=NOW + 9)
    second, _ = await database.write(make_run)
    assert await database.read(lambda transaction: runs.active(transaction, 1)) == second
    assert [run.id for run in await database.read(lambda t: runs.recent(t, 1, 5))] == [second.id, run.id]


def test_the_schema_and_the_state_machine_agree_on_what_is_active() -> None:
    assert set(ACTIVE_STATES) == {state.value for state in ACTIVE}
