"""Sums from rollups and events equal those computed from the events alone, whatever filter, group and zone."""

from collections import defaultdict
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from extension.store.database.database import Database, Transaction
from extension.store.usage import summary
from extension.store.usage.dimensions import NameKind
from extension.store.usage.filtering import NamedFilter
from extension.store.usage.names import texts
from extension.store.usage.reading.query import Query
from extension.store.usage.reading.ranking import Count, ranking
from extension.store.usage.records import Figures, UsageFilter
from extension.usage.calendar import HOUR_MS, Period, SeriesStep, periods, zone_of
from extension.usage.event import UsageEvent
from extension.usage.histogram import bucket_of
from extension.usage.tokens import BUCKETS, TokenQuality
from tests.extension.store.usage.samples import DAY, EVENTS, START, cost_of

WHOLE = Period(START + 17 * 60_000, START + 6 * DAY + 5)
GROUPS = [NameKind.TOTAL, NameKind.MODEL, NameKind.ACCOUNT, NameKind.CLIENT, NameKind.PROVIDER, NameKind.FAILURE]
COUNTS: tuple[Count, ...] = ("requests", "failed")
FILTERS = [
    UsageFilter(),
    UsageFilter(model="model-1"),
    UsageFilter(failure="429"),
    UsageFilter(failure=""),
    UsageFilter(failed=True),
    UsageFilter(model="model-2", client=f"{3:016x}"),
    UsageFilter(account="account-7", failed=False),
    UsageFilter(provider="nowhere"),
]


def matches(event: UsageEvent, wanted: UsageFilter, by: NameKind, period: Period) -> bool:
    named = ("model", "account", "client", "provider", "failure")
    return (
        period.start <= event.at < period.end
        and all(getattr(wanted, name) in {None, getattr(event, name)} for name in named)
        and wanted.failed in {None, bool(event.failure)}
        and (by is not NameKind.FAILURE or bool(event.failure))
    )


def expected(wanted: UsageFilter, by: NameKind, period: Period) -> dict[str, Figures]:
    found: dict[str, Figures] = defaultdict(Figures)
    for event in EVENTS:
        if matches(event, wanted, by, period):
            figures = found["" if by is NameKind.TOTAL else getattr(event, by.name.lower())]
            figures.requests += 1
            figures.failed += bool(event.failure)
            figures.unclassified += event.tokens.quality is TokenQuality.UNCLASSIFIED
            figures.total += event.tokens.total
            for name in BUCKETS:
                figures.tokens[name] += getattr(event.tokens, name)
            cost = cost_of(event)
            if cost is not None:
                figures.pico_usd += cost.pico_usd
                figures.priced += 1
                figures.incomplete += cost.partial
            bucket = bucket_of(event.latency_ms)
            figures.latencies[bucket] = figures.latencies.get(bucket, 0) + 1
    return dict(found)


async def test_every_day_of_a_reader_equals_a_sum_over_its_events(filled: Database) -> None:
    zones = ("UTC", "+08:00", "-03:30", "Europe/Berlin")
    days = [day for zone in zones for day in periods(WHOLE, SeriesStep.DAY, zone_of(zone))]

    def look(transaction: Transaction) -> None:
        query = Query(1, NamedFilter(transaction, 1, UsageFilter()), NameKind.MODEL)
        for day in days:
            found = summary.sums(query, day)
            named = texts(transaction, set(found))
            assert {named[name]: figures for name, figures in found.items()} == expected(
                UsageFilter(), NameKind.MODEL, day
            )

    await filled.read(look)
    assert len(days) >= 7 * len(zones)


async def test_a_period_with_any_ends_equals_a_sum_over_its_events(filled: Database) -> None:
    chance = Random(3)
    lengths = [chance.randrange(length) for length in (HOUR_MS // 2, HOUR_MS, 2 * HOUR_MS, 3 * DAY) for _ in range(12)]
    periods = [Period(start, start + length) for length in lengths for start in [START + chance.randrange(7 * DAY)]]

    def look(transaction: Transaction) -> None:
        for period, wanted in product((*periods, Period(START, START + 8 * DAY - 7)), FILTERS[:2]):
            query = Query(1, NamedFilter(transaction, 1, wanted), NameKind.MODEL)
            found = summary.sums(query, period)
            named = texts(transaction, set(found))
            assert {named[name]: figures for name, figures in found.items()} == expected(wanted, query.by, period)
            assert set(ranking(transaction, query, period)) == set(found)

    await filled.read(look)


async def test_every_filter_and_group_equals_a_sum_over_the_events(filled: Database) -> None:
    def look(transaction: Transaction) -> None:
        for wanted, by in product(FILTERS, GROUPS):
            found = summary.sums(Query(1, NamedFilter(transaction, 1, wanted), by), WHOLE)
            named = texts(transaction, set(found))
            assert {named[name]: figures for name, figures in found.items()} == expected(wanted, by, WHOLE), wanted

    await filled.read(look)


@pytest.mark.parametrize("part", [(0, 50), (0.4, 7.7), (3.2, 3.9), (2.6, 3.4)])
async def test_the_hours_of_a_heat_map_count_their_events_those_at_the_ends_too(
    filled: Database, part: tuple[float, float]
) -> None:
    first = START // HOUR_MS * HOUR_MS
    whole = Period(*(first + int(hours * HOUR_MS) for hours in part))

    def look(transaction: Transaction) -> None:
        for wanted in FILTERS:
            query = Query(1, NamedFilter(transaction, 1, wanted), NameKind.TOTAL)
            found = summary.hourly_requests(transaction, query, whole)
            for hour in range(whole.start // HOUR_MS, -(-whole.end // HOUR_MS)):
                period = Period(hour * HOUR_MS, (hour + 1) * HOUR_MS).within(whole)
                truth = expected(wanted, NameKind.TOTAL, period).get("", Figures())
                assert found.get(hour, 0) == truth.requests

    await filled.read(look)


async def test_a_ranking_is_the_order_of_the_sums(filled: Database) -> None:
    def look(transaction: Transaction) -> None:
        for wanted, by, count in product(FILTERS, GROUPS[1:], COUNTS):
            query = Query(1, NamedFilter(transaction, 1, wanted), by)
            numbers = {name: getattr(each, count) for name, each in summary.sums(query, WHOLE).items()}
            order = sorted((name for name in numbers if numbers[name]), key=lambda each: (-numbers[each], each))
            assert ranking(transaction, query, WHOLE, count) == tuple(order)

    await filled.read(look)


async def test_figures_and_latencies_of_named_groups_equal_those_of_all(filled: Database) -> None:
    def look(transaction: Transaction) -> None:
        for wanted, by in product(FILTERS, GROUPS[1:]):
            query = Query(1, NamedFilter(transaction, 1, wanted), by)
            every = summary.sums(query, WHOLE)
            few = replace(query, names=tuple(sorted(every)[::2]))
            assert summary.sums(few, WHOLE) == {name: every[name] for name in few.names or ()}

    await filled.read(look)
