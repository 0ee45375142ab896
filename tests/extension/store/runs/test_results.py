from dataclasses import asdict, replace
from functools import partial

import pytest

from extension.reasons.reason import NO_REASON
from extension.store.database.database import Database, Transaction
from extension.store.errors import DatabaseTrouble
from extension.store.records import ResultRecord, WindowRecord
from extension.store.run_state import RunState
from extension.store.runs import results, runs
from tests.extension.store.rows import BOTH_DATABASES, NOW, a_result, add_accounts, add_pool, add_run

WINDOWS = (
    WindowRecord("5 h", "", 100.0, 80, 18_000, NOW + 60_000),
    WindowRecord("weekly", "Group 1", None, None, None, None),
)


def prepare(transaction: Transaction) -> tuple[int, tuple[int, ...]]:
    pool = add_pool(transaction)
    accounts = add_accounts(transaction, pool, 3)
    return add_run(transaction, pool, accounts).id, accounts


@BOTH_DATABASES
async def test_a_result_comes_back_as_it_was_stored(database: Database) -> None:
    run, (account, *_) = await database.write(prepare)
    unprobed = replace(a_result(run, account), enabled=None, status=None, latency_ms=None, attempts=(), headers={})
    quota = replace(a_result(run, account + 2), windows=WINDOWS, resets_at=NOW + 60_000)
    for result in (a_result(run, account), replace(unprobed, account_id=account + 1), quota):
        (seq,) = await database.write(partial(results.add, results=[result]))
        stored = await database.read(partial(results.of_run, run_id=run, after=seq - 1, limit=1))
        composed = {"attempts": result.attempts, "windows": result.windows, "reason": result.reason}
        assert stored == (ResultRecord(seq=seq, **{**asdict(result), **composed}),)


async def test_an_account_has_one_result_in_a_run(database: Database) -> None:
    run, (account, other, _) = await database.write(prepare)
    await database.write(lambda transaction: results.add(transaction, [a_result(run, account)]))
    with pytest.raises(DatabaseTrouble, match=r"(?i)unique"):
        await database.write(lambda t: results.add(t, [a_result(run, other), a_result(run, account)]))
    assert len(await database.read(lambda transaction: results.of_run(transaction, run, 0, 10))) == 1


async def test_results_are_read_on_from_a_cursor(database: Database) -> None:
    run, accounts = await database.write(prepare)
    seqs = await database.write(lambda t: results.add(t, [a_result(run, account) for account in accounts]))
    assert list(seqs) == sorted(seqs)
    first = await database.read(lambda transaction: results.of_run(transaction, run, 0, 2))
    rest = await database.read(lambda transaction: results.of_run(transaction, run, first[-1].seq, 2))
    assert [result.account_id for result in (*first, *rest)] == list(accounts)


@BOTH_DATABASES
async def test_the_last_result_of_each_account_counts(database: Database) -> None:
    run, (first_account, two, three) = await database.write(prepare)
    await database.write(lambda t: results.add(t, [a_result(run, first_account), a_result(run, two)]))

    def again(transaction: Transaction) -> int:
        runs.set_state(transaction, run, RunState.FINISHED, reason=NO_REASON, finished_at=1, owner="")
        later = add_run(transaction, 1, (first_account, three))
        results.add(transaction, [a_result(later.id, first_account, "forbidden", "disable")])
        return later.id

    later = await database.write(again)
    last = await database.read(lambda transaction: results.latest(transaction, 1))
    assert {account: (result.run_id, result.verdict) for account, result in last.items()} == {
        first_account: (later, "forbidden"),
        two: (run, "healthy"),
    }
    assert set(await database.read(lambda transaction: results.latest(transaction, 1, [two, three]))) == {two}
    assert await database.read(lambda transaction: results.latest(transaction, 2)) == {}


async def test_nothing_to_add_is_nothing(database: Database) -> None:
    assert await database.write(lambda transaction: results.add(transaction, [])) == ()


@BOTH_DATABASES
async def test_the_newest_results_of_each_account_come_first_and_no_more_than_asked_for(database: Database) -> None:
    def store(transaction: Transaction) -> tuple[int, tuple[int, ...]]:
        pool = add_pool(transaction)
        accounts = add_accounts(transaction, pool, 3)
        for _ in range(3):
            run = add_run(transaction, pool, accounts).id
            results.add(transaction, [a_result(run, account) for account in accounts[:2]])
            runs.set_state(transaction, run, RunState.FINISHED, reason=NO_REASON, finished_at=NOW, owner="")
        return pool, accounts

    pool, accounts = await database.write(store)
    recent = await database.read(partial(results.recent, pool_id=pool, account_ids=accounts, limit=2))
    elsewhere = await database.read(partial(results.recent, pool_id=pool + 1, account_ids=accounts, limit=2))

    runs_of = {number: [row.run_id for row in rows] for number, rows in recent.items()}
    assert runs_of == {accounts[0]: [3, 2], accounts[1]: [3, 2]}
    assert elsewhere == {}


@BOTH_DATABASES
async def test_a_result_without_a_change_shares_the_evidence_of_the_one_before(database: Database) -> None:
    def store(transaction: Transaction) -> list[tuple[str, int | None, int]]:
        pool_id = add_pool(transaction)
        (account,) = add_accounts(transaction, pool_id, 1)
        stored = []
        for place, (preview, verdict) in enumerate((("a", "healthy"), ("b", "healthy"), ("c", "invalid_key"))):
            run = add_run(transaction, pool_id, (account,))
            landed = replace(a_result(run.id, account, verdict), preview=preview, latency_ms=place, at=NOW + place)
            results.add(transaction, [landed])
            (result,) = results.of_run(transaction, run.id, 0, 9)
            stored.append((result.preview, result.latency_ms, result.evidence_at - NOW))
            runs.set_state(transaction, run.id, RunState.FINISHED, reason=NO_REASON, finished_at=NOW, owner="")
        return stored

    assert await database.write(store) == [("a", 0, 0), ("a", 1, 0), ("c", 2, 2)]
