"""Events keep their values and their ascending number when their table is made anew."""

from functools import partial

from alembic.command import downgrade, upgrade
from sqlalchemy import delete, func, select

from extension.store.database.database import Database, Transaction
from extension.store.database.storage import Storage
from extension.store.pool import pools
from extension.store.schema import upgrade as schema
from extension.store.schema.usage_tables import RARE_BUCKETS, USAGE_EVENTS
from extension.store.usage.events import read
from extension.store.usage.records import StoredEvent
from tests.extension.store.usage.samples import events, store_all

WHOLE = select(USAGE_EVENTS).order_by(USAGE_EVENTS.c.seq)


def older_and_newest(storage: Storage) -> None:
    engine = storage.migrating_engine()
    with engine.begin() as connection:
        config = schema.configuration()
        config.attributes["connection"] = connection
        downgrade(config, "0017")
        upgrade(config, "head")
    engine.dispose()


def stored(transaction: Transaction, count: int, seed: int) -> None:
    store_all(transaction, pools.ensure(transaction, "default", 1), events(count, seed=seed))


def last(transaction: Transaction) -> int:
    return int(transaction.execute(select(func.max(USAGE_EVENTS.c.seq))).scalar_one())


async def test_events_are_the_same_after_their_table_was_made_anew(database: Database, storage: Storage) -> None:
    await database.write(partial(stored, count=200, seed=1))
    before: tuple[StoredEvent, ...] = await database.read(lambda transaction: read(transaction, WHOLE))

    older_and_newest(storage)

    assert await database.read(lambda transaction: read(transaction, WHOLE)) == before
    assert len(before) == 200


async def test_the_number_of_a_deleted_event_is_not_given_again(database: Database, storage: Storage) -> None:
    await database.write(partial(stored, count=20, seed=1))
    await database.write(lambda transaction: transaction.execute(delete(USAGE_EVENTS).where(USAGE_EVENTS.c.seq > 15)))

    older_and_newest(storage)

    await database.write(partial(stored, count=1, seed=2))
    assert await database.read(last) == 21


async def test_a_rare_count_of_0_is_stored_as_nothing_and_summed_as_0(database: Database) -> None:
    def sums(transaction: Transaction) -> list[int]:
        return list(transaction.execute(select(*(func.sum(USAGE_EVENTS.c[name]) for name in RARE_BUCKETS))).one())

    def as_stored(transaction: Transaction) -> list[int | None]:
        rows = transaction.exec_driver_sql(f"SELECT {', '.join(RARE_BUCKETS)} FROM usage_events")  # noqa: S608
        return [value for row in rows for value in row]

    await database.write(partial(stored, count=40, seed=3))
    summed, raw = await database.read(sums), await database.read(as_stored)

    assert 0 not in raw
    assert None in raw
    assert summed[-1] == 0
    assert sum(summed) == sum(value or 0 for value in raw)
