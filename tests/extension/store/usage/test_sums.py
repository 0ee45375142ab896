"""Sums from hours and events equal those computed from the events alone, whatever filter, group and zone."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from random import Random

import pytest

from extension.store.database.database import Database, Transaction
from extension.store.pool import accounts
from extension.store.usage import sums
from extension.store.usage.filtering import NamedFilter, Query
from extension.store.usage.names import NameKind, account_labels, texts
from extension.store.usage.records import Figures, UsageFilter
from extension.usage.calendar import HOUR_MS, Period, SeriesStep, periods, series_parts, zone_of
from extension.usage.event import BUCKETS, TokenQuality, UsageEvent
from extension.usage.histogram import bucket_of
from tests.extension.store.rows import BOTH_DATABASES, FACTS, NOW, add_pool
from tests.extension.store.test_query_plans import plan_of
from tests.extension.store.usage.samples import DAY, EVENTS, START, cost_of, store_all

WHOLE = Period(START + 17 * 60_000, START + 6 * DAY + 5)
GROUPS = [NameKind.TOTAL, NameKind.MODEL, NameKind.ACCOUNT, NameKind.CLIENT, NameKind.PROVIDER, NameKind.FAILURE]
COUNTS: tuple[sums.Count, ...] = ("requests", "failed")
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


@pytest.fixture
async def filled(database: Database) -> Database:
    """A database with `EVENTS`, a week of them."""

    def fill(transaction: Transaction) -> None:
        pool_id = add_pool(transaction)
        for start in range(0, len(EVENTS), 500):
            store_all(transaction, pool_id, EVENTS[start : start + 500])

    await database.write(fill)
    return database


def matches(event: UsageEvent, chosen: UsageFilter, by: NameKind, period: Period) -> bool:
    names = ("model", "account", "client", "provider", "failure")
    return (
        period.start <= event.at < period.end
        and all(getattr(chosen, name) in {None, getattr(event, name)} for name in names)
        and chosen.failed in {None, bool(event.failure)}
        and (by is not NameKind.FAILURE or bool(event.failure))
    )


def expected(chosen: UsageFilter, by: NameKind, period: Period) -> dict[str, Figures]:
    by_name: dict[str, Figures] = defaultdict(Figures)
    for event in EVENTS:
        if matches(event, chosen, by, period):
            figures = by_name["" if by is NameKind.TOTAL else getattr(event, by.name.lower())]
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
    return dict(by_name)


def named(transaction: Transaction, figures: dict[int, Figures]) -> dict[str, Figures]:
    names = texts(transaction, set(figures))
    return {names[name_id]: figure for name_id, figure in figures.items()}


def query_for(transaction: Transaction, chosen: UsageFilter, by: NameKind) -> Query:
    return Query(1, NamedFilter(transaction, 1, chosen), by)


@BOTH_DATABASES
async def test_every_filter_and_group_equals_a_sum_over_the_events(filled: Database) -> None:
    def look(transaction: Transaction) -> None:
        for chosen, by in product(FILTERS, GROUPS):
            query = query_for(transaction, chosen, by)
            every = sums.sums(transaction, query, WHOLE)
            assert named(transaction, every) == expected(chosen, by, WHOLE), chosen
            if by is NameKind.TOTAL:
                continue
            few = replace(query, names=tuple(sorted(every)[::2]))
            assert sums.sums(transaction, few, WHOLE) == {name: every[name] for name in few.names or ()}
            for count in COUNTS:
                numbers = {name: getattr(figures, count) for name, figures in every.items()}
                order = sorted((name for name in numbers if numbers[name]), key=lambda name: (-numbers[name], name))
                assert sums.ranking(transaction, query, WHOLE, count) == tuple(order)

    await filled.read(look)


@BOTH_DATABASES
async def test_every_part_of_a_chart_equals_a_sum_over_its_events(filled: Database) -> None:
    charts = [(10, UsageFilter()), (60, UsageFilter(model="model-1")), (30, UsageFilter(failed=True))]
    charts += [(11, UsageFilter(client=f"{3:016x}")), (11, UsageFilter(client=f"{3:016x}", failed=False))]
    zones = ("UTC", "-03:30", "Europe/Berlin")

    def look(transaction: Transaction) -> None:
        for (most, chosen), zone, by in product(charts, zones, (NameKind.TOTAL, NameKind.MODEL)):
            cut = series_parts(WHOLE, most, zone_of(zone))
            assert len(cut.parts) <= most
            part_rows = sums.part_sums(transaction, query_for(transaction, chosen, by), cut.parts)
            for part, figures in zip(cut.parts, part_rows, strict=True):
                assert named(transaction, figures) == expected(chosen, by, part)

    await filled.read(look)


@BOTH_DATABASES
async def test_the_statement_of_a_chart_is_not_remembered(filled: Database) -> None:
    remembered: dict[object, object] = {}

    def look(transaction: Transaction) -> None:
        connection = transaction.execution_options(compiled_cache=remembered)
        for days in (2, 3):
            parts = series_parts(Period(START, START + days * DAY), 10, zone_of("UTC")).parts
            sums.part_sums(connection, query_for(connection, UsageFilter(), NameKind.MODEL), parts)

    await filled.read(look)
    assert not any("VALUES" in str(statement) for statement in remembered.values())


async def test_parts_shorter_than_an_hour_are_counted_too(filled: Database) -> None:
    whole = Period(START, START + 3 * HOUR_MS)
    cut = series_parts(whole, 400, zone_of("UTC"))
    assert cut.length == "1m"

    def look(transaction: Transaction) -> int:
        part_rows = sums.part_sums(transaction, query_for(transaction, UsageFilter(), NameKind.TOTAL), cut.parts)
        return sum(figures.requests for part in part_rows for figures in part.values())

    assert await filled.read(look) == expected(UsageFilter(), NameKind.TOTAL, whole)[""].requests > 0


async def test_a_period_with_any_ends_equals_a_sum_over_its_events(filled: Database) -> None:
    chance = Random(3)
    lengths = [chance.randrange(length) for length in (HOUR_MS // 2, 2 * HOUR_MS, 3 * DAY) for _ in range(8)]
    wholes = [Period(start, start + length) for length in lengths for start in [START + chance.randrange(7 * DAY)]]

    def look(transaction: Transaction) -> None:
        for period, chosen in product((*wholes, Period(START, START + 8 * DAY - 7)), FILTERS[:2]):
            figures = sums.sums(transaction, query_for(transaction, chosen, NameKind.MODEL), period)
            assert named(transaction, figures) == expected(chosen, NameKind.MODEL, period)

    await filled.read(look)


@pytest.mark.parametrize("part", [(0, 50), (0.4, 7.7), (3.2, 3.9)])
async def test_the_hours_of_a_heat_map_count_their_events_those_at_the_ends_too(
    filled: Database, part: tuple[float, float]
) -> None:
    first = START // HOUR_MS * HOUR_MS
    whole = Period(*(first + int(hours * HOUR_MS) for hours in part))

    def look(transaction: Transaction) -> None:
        for chosen in FILTERS:
            counts = sums.hourly_requests(transaction, query_for(transaction, chosen, NameKind.TOTAL), whole)
            for hour in range(whole.start // HOUR_MS, -(-whole.end // HOUR_MS)):
                period = Period(hour * HOUR_MS, (hour + 1) * HOUR_MS).within(whole)
                truth = expected(chosen, NameKind.TOTAL, period).get("", Figures())
                assert counts.get(hour, 0) == truth.requests

    await filled.read(look)


def _hours(transaction: Transaction, latencies: int) -> object:
    query = replace(query_for(transaction, UsageFilter(), NameKind.ACCOUNT), names=(1, 2, 3))
    spans = sums._divided(query, tuple(periods(WHOLE, SeriesStep.DAY, zone_of("+08:00"))))[0]
    statements = sums._hour_latencies(query, spans) if latencies else sums._hour_sums(query, spans)
    return [transaction.execute(statement).all() for statement in statements]


def _failures(transaction: Transaction) -> object:
    query = query_for(transaction, UsageFilter(failed=True), NameKind.ACCOUNT)
    return [transaction.execute(part).all() for part in sums._event_latencies(query, [(0, START, START + DAY)])]


@BOTH_DATABASES
@pytest.mark.parametrize(
    ("work", "index"),
    [
        (partial(_hours, latencies=0), "hour"),
        (partial(_hours, latencies=1), "hour"),
        (_failures, "ix_usage_events_failed_at"),
    ],
    ids=["sums", "latencies", "failures"],
)
async def test_sums_are_searched_for_by_their_time(
    database: Database, work: Callable[[Transaction], object], index: str
) -> None:
    def look(transaction: Transaction) -> list[str]:
        store_all(transaction, add_pool(transaction), EVENTS[:300])
        transaction.exec_driver_sql("ANALYZE")
        return plan_of(transaction, work)

    plan = "\n".join(await database.write(look))

    assert index in plan
    assert "SCAN usage_" not in plan
    assert "Seq Scan on usage_" not in plan


async def test_accounts_of_one_name_are_told_apart_by_their_place(database: Database) -> None:
    pool = await database.write(add_pool)
    twins = [
        replace(FACTS, fingerprint=f"f{number}", auth_index=f"{number}", place=f"claude-api-key[{number}]")
        for number in range(2)
    ]
    other = replace(FACTS, fingerprint="g", auth_index="9", display_name="relay", place="gemini-api-key[0]")
    await database.write(lambda transaction: accounts.remember(transaction, pool, [*twins, other], NOW))

    labels = await database.read(lambda transaction: account_labels(transaction, pool))

    name = FACTS.display_name
    assert labels == {"0": f"{name} · claude-api-key[0]", "1": f"{name} · claude-api-key[1]", "9": "relay"}


async def test_a_disabled_provider_without_an_index_keeps_its_name_in_usage(database: Database) -> None:
    pool = await database.write(add_pool)
    disabled = replace(FACTS, auth_index="")
    unknown = replace(FACTS, fingerprint="h", auth_index="", display_name="never enabled")
    for seen in ([FACTS], [disabled, unknown], [disabled, unknown]):
        await database.write(partial(accounts.remember, pool_id=pool, entries=seen, now=NOW))

    assert await database.read(lambda transaction: account_labels(transaction, pool)) == {
        FACTS.auth_index: FACTS.display_name
    }
