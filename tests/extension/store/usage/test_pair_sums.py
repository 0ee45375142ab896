"""Daily sums of pairs of dimensions are read in place of events as long as they are right."""

from dataclasses import replace

import pytest
from sqlalchemy import func, select

from extension.prices.rerating import RatingChange
from extension.store.database.database import Database, Transaction
from extension.store.schema.usage_day_tables import USAGE_DAY_PAIRS, USAGE_PAIRED_DAYS
from extension.store.usage import collectors, retention
from extension.store.usage.costs import reratings
from extension.store.usage.daily import day_sums
from extension.store.usage.daily.dimension_pairs import PAIRS, DimensionPair
from extension.store.usage.dimensions import NameKind
from extension.store.usage.filtering import NamedFilter
from extension.store.usage.pairs import pair_sums
from extension.store.usage.reading.query import Query
from extension.store.usage.reading.ranking import ranking
from extension.store.usage.records import Figures, UsageFilter
from extension.store.usage.summary import latencies, sums
from extension.usage.calendar import Period
from extension.usage.cost import EventCost
from tests.extension.store.rows import add_pool
from tests.extension.store.usage.samples import DAY, START, store_all, sum_up
from tests.extension.store.usage.samples import events as drawn

FIRST = START // DAY
DAYS = range(FIRST, FIRST + 8)
WHOLE = Period(FIRST * DAY, (FIRST + 8) * DAY)
PAIR = DimensionPair(NameKind.MODEL, NameKind.ACCOUNT)
WANTED = UsageFilter(model="model-1")


def by_account(transaction: Transaction) -> dict[int, Figures]:
    return sums(Query(1, NamedFilter(transaction, 1, WANTED), NameKind.ACCOUNT), WHOLE)


def paired(transaction: Transaction) -> set[int]:
    query = Query(1, NamedFilter(transaction, 1, WANTED), NameKind.ACCOUNT)
    ranges, _ = query.filter.stored.paired(PAIR, WHOLE)
    return {day for each in ranges for day in each}


@pytest.fixture
async def summed(database: Database) -> Database:
    def fill(transaction: Transaction) -> None:
        store_all(transaction, add_pool(transaction), drawn(300))
        for day in DAYS:
            sum_up(transaction, 1, day, (PAIR,))

    await database.write(fill)
    return database


async def test_days_with_pairs_are_read_without_their_events(summed: Database) -> None:
    def look(transaction: Transaction) -> None:
        query = Query(1, NamedFilter(transaction, 1, WANTED), NameKind.ACCOUNT)
        before = (by_account(transaction), ranking(transaction, query, WHOLE), latencies(query, WHOLE))
        transaction.exec_driver_sql("DELETE FROM usage_events")
        assert (by_account(transaction), ranking(transaction, query, WHOLE), latencies(query, WHOLE)) == before
        assert before[0]

    await summed.write(look)


async def test_a_late_event_withdraws_the_pairs_of_its_day_until_they_are_made_anew(summed: Database) -> None:
    late = replace(next(event for event in drawn(300) if event.model == "model-1"), at=(FIRST + 3) * DAY + 5, digest=1)

    def look(transaction: Transaction) -> None:
        requests = sum(figures.requests for figures in by_account(transaction).values())
        store_all(transaction, 1, [late])
        assert paired(transaction) == set(DAYS) - {FIRST + 3}
        after = by_account(transaction)
        assert sum(figures.requests for figures in after.values()) == requests + 1
        day_sums.sum_day(transaction, 1, FIRST + 3)
        assert paired(transaction) == set(DAYS) - {FIRST + 3}
        assert by_account(transaction) == after
        assert pair_sums.unpaired(transaction, 1)[0] in DAYS
        pair_sums.sum_pair(transaction, 1, FIRST + 3, PAIR)
        assert paired(transaction) == set(DAYS)
        assert by_account(transaction) == after

    await summed.write(look)


async def test_a_rating_of_a_past_day_is_shown_at_once_and_after_the_next_making(summed: Database) -> None:
    def look(transaction: Transaction) -> None:
        before = sum(figures.pico_usd for figures in by_account(transaction).values())
        period = Period((FIRST + 2) * DAY, (FIRST + 5) * DAY)
        rated = reratings.rated(transaction, 1, period, reratings.BEGINNING, 999)
        chosen = [one for one in rated if one.event.model == "model-1" and one.pico is not None]
        reratings.rerate(
            transaction, 1, [RatingChange(one, EventCost((one.pico or 0) + 7, "version-9", False)) for one in chosen]
        )
        for _ in range(2):
            costs = [figures.pico_usd for figures in by_account(transaction).values()]
            assert sum(costs) == before + 7 * len(chosen) > before
            for day in DAYS:
                sum_up(transaction, 1, day, (PAIR,))

    await summed.write(look)


async def test_a_day_is_looked_at_once_for_each_of_its_sums(database: Database) -> None:
    def look(transaction: Transaction) -> None:
        store_all(transaction, add_pool(transaction), drawn(300))
        assert pair_sums.unpaired(transaction, 1) == []
        sum_up(transaction, 1, FIRST + 1)
        day_sums.sum_day(transaction, 1, FIRST + 2)
        day_sums.sum_day(transaction, 1, FIRST - 5)  # before the oldest event
        assert pair_sums.unpaired(transaction, 1) == [FIRST + 2]
        sum_up(transaction, 1, FIRST + 1)
        assert pair_sums.unpaired(transaction, 1) == [FIRST + 2]
        rows = transaction.execute(select(func.sum(USAGE_PAIRED_DAYS.c.rows))).scalar_one()
        assert rows == transaction.execute(select(func.count()).select_from(USAGE_DAY_PAIRS)).scalar_one()

    await database.write(look)


async def test_pairs_outlive_the_events_but_are_not_made_of_a_part_of_them(summed: Database) -> None:
    def look(transaction: Transaction) -> None:
        before = by_account(transaction)
        collectors.claim(transaction, 1, "one", now=0, term_ms=1, alone=True)
        assert retention.prune(transaction, 1, START + 9 * DAY, keep_days=3, keep_bytes=10**9)
        assert by_account(transaction) == before
        part = (START + 6 * DAY) // DAY
        sum_up(transaction, 1, part)
        assert part not in paired(transaction)
        assert part not in pair_sums.unpaired(transaction, 1)

    await summed.write(look)


async def test_pairs_of_nearly_as_many_rows_as_events_are_left_out(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair_sums, "FEWEST_ROWS", 15)

    def look(transaction: Transaction) -> None:
        store_all(transaction, add_pool(transaction), drawn(300))
        for day in DAYS:
            sum_up(transaction, 1, day)
        numbers = set(transaction.execute(select(USAGE_DAY_PAIRS.c.pair)).scalars())
        left = {pair for pair in PAIRS if pair.number not in numbers}
        assert DimensionPair(NameKind.ACCOUNT, NameKind.CLIENT) in left
        assert DimensionPair(NameKind.PROVIDER, NameKind.MODEL) not in left
        assert pair_sums.unpaired(transaction, 1) == []

    await database.write(look)
