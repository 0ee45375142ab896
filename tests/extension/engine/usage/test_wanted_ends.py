"""Ends of days that charts ask for are noted once a day, and summed up with the days."""

from collections.abc import AsyncIterator
from functools import partial

import pytest
from sqlalchemy import select

from adapter.clock import FakeClock
from adapter.fake.gateway import FakeGateway
from adapter.privacy.secret import Redactor
from extension.engine.usage.analysis import SummaryRequest
from extension.engine.usage.series import SeriesRequest
from extension.engine.usage.service import UsageService
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.schema.usage_day_tables import USAGE_SUMMED_ENDS, USAGE_WANTED_ENDS
from extension.store.usage.dimensions import NameKind
from extension.store.usage.records import UsageFilter
from extension.usage.calendar import Period, SeriesStep, zone_of
from tests.extension.store.usage.samples import DAY, START, events, store_all

NOW = START + 8 * DAY
PERIOD = Period(START, NOW)
WANTED = UsageFilter(model="model-1")


class Stage:
    """A service with stored events."""

    def __init__(self, service: UsageService, database: Database, clock: FakeClock) -> None:
        self.service = service
        self.database = database
        self.clock = clock

    async def chart(self, zone: str) -> list[int]:
        series = await self.service.series.series(
            SeriesRequest(PERIOD, zone_of(zone), NameKind.ACCOUNT, WANTED, points=12, limit=8)
        )
        assert series.groups
        return [figures.requests for group in series.groups for figures in group.figures]

    async def wanted(self) -> dict[int, int]:
        def read(transaction: Transaction) -> dict[int, int]:
            return {row.minutes: row.wanted_at for row in transaction.execute(select(USAGE_WANTED_ENDS))}

        return await self.database.read(read)

    async def summed(self) -> set[int]:
        def read(transaction: Transaction) -> set[int]:
            return set(transaction.execute(select(USAGE_SUMMED_ENDS.c.minutes)).scalars())

        return await self.database.read(read)


@pytest.fixture
async def stage(folder: DataFolder) -> AsyncIterator[Stage]:
    database, clock = await Database.open(folder), FakeClock(NOW)
    gateway = FakeGateway("", clock=clock)
    service = UsageService(gateway, database, clock, Redactor(), installation_key=b"k" * 32)
    await service.open(collect=False)
    await database.write(partial(store_all, pool_id=1, found=events(300)))
    await service.sum_days()
    yield Stage(service, database, clock)
    await service.close()
    await database.close()


async def test_ends_that_a_chart_or_a_table_of_days_asks_for_are_summed_up(stage: Stage) -> None:
    await stage.chart("UTC")
    assert await stage.wanted() == {}
    before = await stage.chart("+08:00")
    summary = SummaryRequest(PERIOD, zone_of("-03:30"), NameKind.ACCOUNT, SeriesStep.DAY, WANTED, 5)
    table = await stage.service.analysis.summary(summary)
    assert await stage.wanted() == {-480: NOW, 210: NOW}
    assert await stage.summed() == set()
    await stage.service.sum_days()
    assert await stage.summed() == {-480, 210}
    assert await stage.chart("+08:00") == before
    assert await stage.service.analysis.summary(summary) == table


async def test_an_end_is_noted_once_a_day_and_forgotten_when_no_chart_asks_for_it(stage: Stage) -> None:
    await stage.chart("+08:00")
    await stage.clock.advance(3600)
    await stage.chart("+08:00")
    assert await stage.wanted() == {-480: NOW}
    await stage.clock.advance(24 * 3600)
    await stage.chart("+08:00")
    assert await stage.wanted() == {-480: stage.clock.now_ms()}
    await stage.service.sum_days()
    await stage.clock.advance(61 * 24 * 3600)
    await stage.service.sum_days()
    assert (await stage.wanted(), await stage.summed()) == ({}, set())


async def test_a_chart_is_answered_by_a_store_that_takes_nothing(stage: Stage) -> None:
    utc = sum(await stage.chart("UTC"))

    def refuse(transaction: Transaction) -> None:
        transaction.exec_driver_sql(
            "CREATE TRIGGER refuse BEFORE INSERT ON usage_wanted_ends BEGIN SELECT RAISE(ABORT, 'full'); END"
        )

    await stage.database.write(refuse)
    assert sum(await stage.chart("+08:00")) == utc
    assert await stage.wanted() == {}
