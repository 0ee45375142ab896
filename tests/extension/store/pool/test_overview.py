"""Overview of a pool, brought up to date instead of read again."""

from functools import partial

from extension.reasons.reason import NO_REASON
from extension.store.database.database import Database, Transaction
from extension.store.pool.overview import Overview, overview
from extension.store.run_state import RunState
from extension.store.runs import results, retention, runs
from tests.extension.store.rows import BOTH_DATABASES, NOW, a_result, add_accounts, add_pool, add_run


def _checked(transaction: Transaction, pool_id: int, accounts: tuple[int, ...]) -> int:
    """Store a run with a result for each account and return its number."""
    run = add_run(transaction, pool_id, accounts)
    results.add(transaction, [a_result(run.id, account) for account in accounts])
    runs.set_state(transaction, run.id, RunState.FINISHED, reason=NO_REASON, finished_at=NOW, owner="")
    return run.id


async def _updated(database: Database, pool_id: int, known: Overview | None) -> Overview:
    return await database.read(lambda transaction: overview(transaction, pool_id, known))


@BOTH_DATABASES
async def test_an_earlier_overview_gets_what_came_after_it(database: Database) -> None:
    pool_id = await database.write(add_pool)
    accounts = await database.write(lambda transaction: tuple(add_accounts(transaction, pool_id, 3)))
    runs_of = (accounts, accounts[:1], accounts[1:])
    known: Overview | None = None
    for checked in runs_of:
        for _ in range(2):  # with something new, and without
            known = await _updated(database, pool_id, known)
            assert known == await _updated(database, pool_id, None)
        await database.write(partial(_checked, pool_id=pool_id, accounts=checked))
    known = await _updated(database, pool_id, known)
    assert known == await _updated(database, pool_id, None)
    assert known.newest == max(result.seq for result in known.results.values())


async def test_results_of_another_pool_stay_out(database: Database) -> None:
    pool_id, other = await database.write(lambda transaction: (add_pool(transaction), add_pool(transaction, "other")))
    known = await database.read(lambda transaction: overview(transaction, pool_id))
    accounts = await database.write(lambda transaction: tuple(add_accounts(transaction, other, 2)))
    await database.write(lambda transaction: _checked(transaction, other, accounts))
    assert (await database.read(lambda transaction: overview(transaction, pool_id, known))).results == {}


async def test_results_of_a_forgotten_run_go(database: Database) -> None:
    pool_id = await database.write(add_pool)
    newest_run, gone = await database.write(lambda transaction: tuple(add_accounts(transaction, pool_id, 2)))
    first = await database.write(lambda transaction: _checked(transaction, pool_id, (newest_run, gone)))
    known = await database.read(lambda transaction: overview(transaction, pool_id))
    assert set(known.results) == {newest_run, gone}
    second = await database.write(lambda transaction: _checked(transaction, pool_id, (newest_run,)))
    assert await database.write(lambda transaction: retention.prune(transaction, pool_id, 1)) == (first,)
    overview_after = await database.read(lambda transaction: overview(transaction, pool_id, known))
    assert {number: result.run_id for number, result in overview_after.results.items()} == {newest_run: second}
    assert overview_after == await database.read(lambda transaction: overview(transaction, pool_id))
