from dataclasses import replace

import pytest
from sqlalchemy import func, select

from extension.reasons.reason import NO_REASON
from extension.store import events
from extension.store.actions import actions, held, search
from extension.store.actions.actions import Intent
from extension.store.actions.held import NewHold
from extension.store.actions.search import ActionFilter
from extension.store.database.database import Database, Transaction
from extension.store.records import ActorKind, EventKind
from extension.store.run_state import RunState
from extension.store.runs import results, retention, runs
from extension.store.schema.tables import EVIDENCE, RUNS
from tests.extension.store.rows import BOTH_DATABASES, NOW, a_result, add_accounts, add_pool, add_run


def _ended_runs(transaction: Transaction, count: int) -> tuple[int, list[int]]:
    pool_id = add_pool(transaction)
    (account,) = add_accounts(transaction, pool_id, 1)
    numbers = []
    for number in range(count):
        run = add_run(transaction, pool_id, (account,))
        # Another status each time, so that each has evidence of its own.
        results.add(transaction, [replace(a_result(run.id, account), status=200 + number)])
        held.replace(transaction, run.id, [NewHold(account, "disable", "a.example", "no_success", {"probes": 2})], NOW)
        events.append(transaction, NOW, EventKind.RUN_STATE, run.id, {})
        runs.set_state(transaction, run.id, RunState.FINISHED, reason=NO_REASON, finished_at=NOW, owner="")
        numbers.append(run.id)
    intent = Intent(account, "Demo", "disable", "anna", ActorKind.PERSON, NO_REASON, {"verdict": "x"}, {}, numbers[0])
    actions.intend(transaction, pool_id, [intent], NOW)
    return pool_id, numbers


async def test_the_oldest_runs_go_with_all_they_found_and_actions_stay(database: Database) -> None:
    pool_id, numbers = await database.write(lambda transaction: _ended_runs(transaction, 5))
    gone = await database.write(lambda transaction: retention.prune(transaction, pool_id, 2))
    assert sorted(gone) == numbers[:3]

    def left(transaction: Transaction) -> tuple[list[int], int, int, list[int | None]]:
        return (
            [run.id for run in runs.recent(transaction, pool_id, 9)],
            len(results.of_run(transaction, numbers[0], 0, 9)),
            len(held.of_run(transaction, numbers[4])),
            [
                action.run_id
                for action in search.page(transaction, pool_id, ActionFilter(), before=None, limit=9).actions
            ],
        )

    assert await database.read(left) == ([numbers[4], numbers[3]], 0, 1, [None])


async def test_a_run_that_has_not_ended_is_never_forgotten(database: Database) -> None:
    def store(transaction: Transaction) -> tuple[int, int]:
        pool_id, _ = _ended_runs(transaction, 2)
        run = add_run(transaction, pool_id, ())
        retention.prune(transaction, pool_id, 0)
        return pool_id, run.id

    pool_id, active = await database.write(store)
    assert [run.id for run in await database.read(lambda read: runs.recent(read, pool_id, 9))] == [active]


@BOTH_DATABASES
async def test_the_oldest_runs_go_when_their_results_exceed_the_limit_in_bytes(database: Database) -> None:
    pool_id, numbers = await database.write(lambda transaction: _ended_runs(transaction, 5))

    async def after(limit: int) -> list[int]:
        def store(transaction: Transaction) -> list[int]:
            retention.prune(transaction, pool_id, 200, limit)
            return [run.id for run in runs.recent(transaction, pool_id, 9)]

        return await database.write(store)

    size = await database.read(lambda transaction: retention._measured(transaction, numbers[0]))
    assert 120 < size < 1_000
    assert await after(5 * size) == numbers[::-1]
    assert await after(3 * size) == numbers[:1:-1]
    assert await after(3 * size - 1) == numbers[:2:-1]
    assert await after(1) == numbers[4:]


async def test_a_run_that_may_be_resumed_is_measured_again(database: Database) -> None:
    pool_id, (number,) = await database.write(lambda transaction: _ended_runs(transaction, 1))

    def size_after(transaction: Transaction, state: RunState) -> int | None:
        runs.set_state(transaction, number, state, reason=NO_REASON, finished_at=NOW, owner="")
        retention.prune(transaction, pool_id, 200, 1_000_000)
        stored: int | None = transaction.execute(select(RUNS.c.stored_bytes)).scalar_one()
        return stored

    assert await database.write(lambda transaction: size_after(transaction, RunState.INTERRUPTED)) is None
    assert await database.write(lambda transaction: size_after(transaction, RunState.FINISHED)) is not None


@BOTH_DATABASES
@pytest.mark.parametrize(
    ("statuses", "keep", "evidence"),
    [((200, 200, 200), 1, 1), ((200, 200, 401), 1, 1), ((200, 401, 401), 2, 1), ((200, 401, 200), 2, 2)],
    ids=["shared by all", "no more shared", "its own is gone", "each its own"],
)
async def test_evidence_stays_as_long_as_a_result_shares_it(
    database: Database, statuses: tuple[int, ...], keep: int, evidence: int
) -> None:
    def store(transaction: Transaction) -> tuple[int, list[int | None]]:
        pool_id = add_pool(transaction)
        (account,) = add_accounts(transaction, pool_id, 1)
        for status in statuses:
            run = add_run(transaction, pool_id, (account,))
            results.add(transaction, [replace(a_result(run.id, account), status=status)])
            runs.set_state(transaction, run.id, RunState.FINISHED, reason=NO_REASON, finished_at=NOW, owner="")
        retention.prune(transaction, pool_id, keep)
        counted = transaction.execute(select(func.count()).select_from(EVIDENCE)).scalar_one()
        numbers = [run.id for run in runs.recent(transaction, pool_id, 9)]
        seen = [result.status for number in numbers for result in results.of_run(transaction, number, 0, 9)]
        return counted, seen

    assert await database.write(store) == (evidence, list(statuses[::-1][:keep]))


@BOTH_DATABASES
async def test_the_limit_in_bytes_is_that_of_all_pools_by_their_accounts(database: Database) -> None:
    def store(transaction: Transaction) -> list[int]:
        pool_id, numbers = _ended_runs(transaction, 4)
        add_accounts(transaction, add_pool(transaction, "other"), 1)
        size = retention._measured(transaction, numbers[0])
        retention.prune(transaction, pool_id, 200, 4 * size)
        return [run.id for run in runs.recent(transaction, pool_id, 9)]

    assert len(await database.write(store)) == 2
