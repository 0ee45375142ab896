from functools import partial

from extension.reasons.reason import NO_REASON
from extension.store.database.database import Database, Transaction
from extension.store.run_state import RunState
from extension.store.runs import recent_results, results, runs
from tests.extension.store.rows import BOTH_DATABASES, NOW, a_result, add_accounts, add_pool, add_run


def prepare(transaction: Transaction) -> tuple[int, tuple[int, ...]]:
    pool = add_pool(transaction)
    accounts = add_accounts(transaction, pool, 3)
    for _ in range(3):
        run = add_run(transaction, pool, accounts).id
        results.add(transaction, [a_result(run, account) for account in accounts[:2]])
        runs.set_state(transaction, run, RunState.FINISHED, reason=NO_REASON, finished_at=NOW, owner="")
    return pool, accounts


@BOTH_DATABASES
async def test_the_newest_results_of_each_account_come_first_and_no_more_than_asked_for(database: Database) -> None:
    pool, (one, other, never) = await database.write(prepare)

    found = await database.read(
        partial(recent_results.of_accounts, pool_id=pool, account_ids=(one, other, never), limit=2)
    )

    assert set(found) == {one, other}
    assert [result.run_id for result in found[one]] == sorted((r.run_id for r in found[one]), reverse=True)
    assert [len(each) for each in found.values()] == [2, 2]


async def test_accounts_of_another_pool_have_no_results_here(database: Database) -> None:
    pool, (one, *_) = await database.write(prepare)

    found = await database.read(partial(recent_results.of_accounts, pool_id=pool + 1, account_ids=(one,), limit=20))

    assert found == {}
