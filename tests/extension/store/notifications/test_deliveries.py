from functools import partial

from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, because
from extension.store.database.database import Database
from extension.store.notifications import deliveries
from extension.store.notifications.deliveries import KEPT, DeliveryRecord
from extension.store.schema.tables import DELIVERIES
from tests.extension.store.rows import BOTH_DATABASES, NOW, add_pool

VALUES = {"channel": 3, "kind": "inspection.changed", "run_id": 7, "at": NOW, "taken": False, "attempts": 2}
PROBLEM = because(ReasonCode.DELIVERY_STATUS, status=500)


async def test_the_last_delivery_of_a_channel_is_read_as_it_was_stored(database: Database) -> None:
    pool = await database.write(add_pool)
    assert await database.read(partial(deliveries.last_by_channel, pool_id=pool)) == {}

    stored = await database.write(partial(deliveries.add, pool_id=pool, delivery=VALUES, problem=PROBLEM))

    assert stored == DeliveryRecord(stored.id, 3, "inspection.changed", 7, NOW, False, 2, PROBLEM)
    assert await database.read(partial(deliveries.last_by_channel, pool_id=pool)) == {3: stored}


@BOTH_DATABASES
async def test_only_the_newest_deliveries_are_kept(database: Database) -> None:
    pool = await database.write(add_pool)
    for _ in range(KEPT + 5):
        await database.write(partial(deliveries.add, pool_id=pool, delivery=VALUES, problem=NO_REASON))

    rows = await database.read(lambda transaction: transaction.execute(DELIVERIES.select()).all())
    assert len(rows) == KEPT
