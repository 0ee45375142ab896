from extension.store import events
from extension.store.actions import actions, held
from extension.store.actions.actions import Intent
from extension.store.database.database import Database, Transaction
from extension.store.records import ActorKind, EventKind
from extension.store.run_state import RunState
from extension.store.runs import results, retention, runs
from tests.extension.store.rows import NOW, a_result, add_accounts, add_pool, add_run


def _ended_runs(transaction: Transaction, count: int) -> tuple[int, list[int]]:
    pool_id = add_pool(transaction)
    (account,) = add_accounts(transaction, pool_id, 1)
    numbers = []
    for _ in range(count):
        run = add_run(transaction, pool_id, (account,))
        results.add(transaction, [a_result(run.id, account)])
        held.replace(transaction, run.id, [(account, "disable", "alike")], NOW)
        events.append(transaction, NOW, EventKind.RUN_STATE, run.id, {})
        runs.set_state(transaction, run.id, RunState.FINISHED, reason="", finished_at=NOW, owner="")
        numbers.append(run.id)
    intent = Intent(account, "Demo", "disable", "anna", ActorKind.PERSON, "", {"verdict": "x"}, {}, numbers[0])
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
            [action.run_id for action in actions.recent(transaction, pool_id, 9)],
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
