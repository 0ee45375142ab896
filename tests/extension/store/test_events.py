from extension.store import events
from extension.store.database.database import Database, Transaction
from extension.store.records import EventKind, EventRecord
from tests.extension.store.rows import BOTH_DATABASES, NOW, add_accounts, add_pool, add_run


@BOTH_DATABASES
async def test_events_are_numbered_and_read_on_from_a_cursor(database: Database) -> None:
    def tell(transaction: Transaction) -> int:
        pool = add_pool(transaction)
        run = add_run(transaction, pool, add_accounts(transaction, pool, 1)).id
        events.append(transaction, NOW, EventKind.POOL, None, {})
        events.append(transaction, NOW + 1, EventKind.RESULT, run, {"run": run, "seqs": [1, 2]})
        events.append(transaction, NOW + 2, EventKind.ACTION, None, {"ids": [4]})
        return run

    run = await database.write(tell)
    every = await database.read(lambda transaction: events.after(transaction, 0, None, 10))
    assert every == (
        EventRecord(1, NOW, EventKind.POOL, None, {}),
        EventRecord(2, NOW + 1, EventKind.RESULT, run, {"run": run, "seqs": [1, 2]}),
        EventRecord(3, NOW + 2, EventKind.ACTION, None, {"ids": [4]}),
    )
    assert await database.read(lambda transaction: events.after(transaction, 1, None, 1)) == every[1:2]
    assert await database.read(lambda transaction: events.after(transaction, 0, run, 10)) == every[1:2]
    assert await database.read(lambda t: (events.oldest(t), events.newest(t))) == (1, 3)


async def test_an_empty_log_has_no_newest_event(database: Database) -> None:
    assert await database.read(lambda t: (events.oldest(t), events.newest(t))) == (0, 0)
