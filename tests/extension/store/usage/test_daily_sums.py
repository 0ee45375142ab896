"""Daily sums are used as long as they are right: a write to an hour of their day withdraws them."""

from dataclasses import replace

import pytest

from extension.store.database.database import Database, Transaction
from extension.store.usage import collectors, retention
from extension.store.usage.daily import day_sums
from extension.store.usage.daily.summed_days import summed_days
from extension.store.usage.dimensions import NO_NAME, NameKind
from extension.store.usage.filtering import NamedFilter
from extension.store.usage.reading.query import Query
from extension.store.usage.records import Figures, UsageFilter
from extension.store.usage.summary import sums
from extension.usage.calendar import Period
from tests.extension.store.rows import add_pool
from tests.extension.store.usage.samples import DAY, START, store_all
from tests.extension.store.usage.samples import events as drawn

FIRST = START // DAY
DAYS = range(FIRST, FIRST + 8)
WHOLE = Period(FIRST * DAY, (FIRST + 8) * DAY)


def total(transaction: Transaction) -> Figures:
    query = Query(1, NamedFilter(transaction, 1, UsageFilter()), NameKind.TOTAL)
    return sums(query, WHOLE)[NO_NAME]


@pytest.fixture
async def summed(database: Database) -> Database:
    def fill(transaction: Transaction) -> None:
        store_all(transaction, add_pool(transaction), drawn(300))
        for day in DAYS:
            day_sums.sum_day(transaction, 1, day)

    await database.write(fill)
    return database


async def test_days_that_have_ended_are_summed_up_newest_first_and_once(database: Database) -> None:
    def look(transaction: Transaction) -> None:
        pool_id = add_pool(transaction)
        assert day_sums.unsummed(transaction, pool_id, DAYS.stop) == []
        store_all(transaction, pool_id, drawn(300))
        wanted = day_sums.unsummed(transaction, pool_id, DAYS.stop - 1)
        assert wanted == list(reversed(DAYS[:-1]))
        for day in wanted:
            day_sums.sum_day(transaction, pool_id, day)
        assert day_sums.unsummed(transaction, pool_id, DAYS.stop - 1) == []
        assert set(summed_days(transaction, pool_id, DAYS)) == set(DAYS[:-1])

    await database.write(look)


async def test_a_late_event_withdraws_the_sums_of_its_day_alone_and_counts_at_once(summed: Database) -> None:
    (template,) = drawn(1)

    def look(transaction: Transaction) -> None:
        before = total(transaction)
        store_all(transaction, 1, [replace(template, at=(FIRST + 3) * DAY + 5, digest=1)])
        assert set(DAYS) - set(summed_days(transaction, 1, DAYS)) == {FIRST + 3}
        late = total(transaction)
        assert late.requests == before.requests + 1
        assert day_sums.unsummed(transaction, 1, DAYS.stop) == [FIRST + 3]
        day_sums.sum_day(transaction, 1, FIRST + 3)
        assert total(transaction) == late

    await summed.write(look)


async def test_sums_outlive_the_events_of_their_days(summed: Database) -> None:
    def look(transaction: Transaction) -> None:
        before = total(transaction)
        collectors.claim(transaction, 1, "one", now=0, term_ms=1, alone=True)
        assert retention.prune(transaction, 1, START + 9 * DAY, keep_days=3, keep_bytes=10**9)
        assert total(transaction) == before

    await summed.write(look)


async def test_an_hour_that_has_lost_events_is_not_taken_apart(summed: Database) -> None:
    hour_ms = DAY // 24
    (template,) = drawn(1)
    lost = replace(template, at=(START + 6 * DAY) // hour_ms * hour_ms + 600_000, digest=1)

    def look(transaction: Transaction) -> None:
        store_all(transaction, 1, [lost])
        collectors.claim(transaction, 1, "one", now=0, term_ms=1, alone=True)
        assert retention.prune(transaction, 1, START + 9 * DAY, keep_days=3, keep_bytes=10**9)
        limit = START + 6 * DAY
        query = Query(1, NamedFilter(transaction, 1, UsageFilter()), NameKind.TOTAL)
        left = [each.at for each in drawn(300) if each.at >= limit]
        for hour in range(limit // hour_ms, limit // hour_ms + 12):
            period = Period(hour * hour_ms + 60_000, (hour + 1) * hour_ms)
            found = sums(query, period).get(NO_NAME, Figures())
            assert found.requests == sum(period.start <= at < period.end for at in left)

    await summed.write(look)


@pytest.mark.parametrize("table", ["usage_hours", "usage_latencies", "usage_costs"])
async def test_whole_days_are_read_from_the_daily_tables_alone(summed: Database, table: str) -> None:
    def look(transaction: Transaction) -> None:
        before = total(transaction)
        transaction.exec_driver_sql(f"DELETE FROM {table} WHERE hour > {FIRST * 24 + 30}")  # noqa: S608
        assert total(transaction) == before

    await summed.write(look)
