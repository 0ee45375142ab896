"""The service sums up the days that have ended, alone and by pairs of dimensions."""

from functools import partial

from sqlalchemy import select

from adapter.clock import FakeClock
from adapter.fake.gateway import FakeGateway
from adapter.privacy.secret import Redactor
from extension.engine.usage.service import UsageService
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.schema.usage_day_tables import USAGE_PAIRED_DAYS, USAGE_SUMMED_DAYS
from extension.store.usage.daily.dimension_pairs import PAIRS
from tests.extension.store.usage.samples import DAY, START, events, store_all

ENDED = set(range(START // DAY, START // DAY + 3))


def look(transaction: Transaction) -> None:
    assert set(transaction.execute(select(USAGE_SUMMED_DAYS.c.day)).scalars()) == ENDED
    marks = {(row.day, row.pair) for row in transaction.execute(select(USAGE_PAIRED_DAYS)) if row.rows}
    assert marks == {(day, pair.number) for day in ENDED for pair in PAIRS}


async def test_ended_days_are_summed_up_alone_and_by_every_pair(folder: DataFolder) -> None:
    database = await Database.open(folder)
    clock = FakeClock(START + 3 * DAY)
    gateway = FakeGateway("", clock=clock)
    service = UsageService(gateway, database, clock, Redactor(), installation_key=b"k" * 32)
    await service.open(collect=False)
    await database.write(partial(store_all, pool_id=1, found=events(60, days=5)))

    await service.sum_days()
    await service.sum_days()

    await database.read(look)
    await service.close()
    await database.close()
