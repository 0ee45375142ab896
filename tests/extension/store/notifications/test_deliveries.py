from functools import partial

from extension.store.database.database import Database
from extension.store.notifications import deliveries
from extension.store.notifications.deliveries import KEPT, DeliveryRecord, NewDelivery
from extension.store.schema.tables import DELIVERIES
from tests.extension.store.rows import BOTH_DATABASES, NOW, add_pool

TAKEN = NewDelivery("inspection.changed", 7, NOW, True, 2, "")


async def test_the_last_delivery_is_told_as_it_was_stored(database: Database) -> None:
    pool = await database.write(add_pool)
    assert await database.read(partial(deliveries.last, pool_id=pool)) is None

    stored = await database.write(partial(deliveries.add, pool_id=pool, delivery=TAKEN))

    assert stored == DeliveryRecord("inspection.changed", 7, NOW, True, 2, "", id=stored.id)
    assert await database.read(partial(deliveries.last, pool_id=pool)) == stored


@BOTH_DATABASES
async def test_only_the_newest_deliveries_are_kept(database: Database) -> None:
    pool = await database.write(add_pool)
    for _ in range(KEPT + 5):
        await database.write(partial(deliveries.add, pool_id=pool, delivery=TAKEN))

    rows = await database.read(lambda transaction: transaction.execute(DELIVERIES.select()).all())
    assert len(rows) == KEPT
