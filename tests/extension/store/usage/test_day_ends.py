"""The ends of days that charts ask for are summed up, and read in place of events as long as they are right."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import product

import pytest
from sqlalchemy import func, select

from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.schema.usage_day_tables import USAGE_DAY_ENDS, USAGE_SUMMED_ENDS, USAGE_WANTED_ENDS
from extension.store.usage import collectors, retention
from extension.store.usage.charts.series import part_sums
from extension.store.usage.daily import day_sums
from extension.store.usage.daily.day_end import DayEnd
from extension.store.usage.daily.dimension_pairs import PAIRS, DimensionPair
from extension.store.usage.dimensions import NameKind
from extension.store.usage.filtering import NamedFilter
from extension.store.usage.pairs import end_sums, pair_sums, wanted_ends
from extension.store.usage.reading.query import Query
from extension.store.usage.records import Figures, UsageFilter
from extension.usage.calendar import Period, SeriesStep, midnight, periods, zone_of
from extension.usage.series_parts import series_parts
from tests.extension.store.rows import add_pool
from tests.extension.store.templates import Templates
from tests.extension.store.usage.samples import DAY, START, store_all, sum_up
from tests.extension.store.usage.samples import events as drawn

FIRST = START // DAY
WHOLE = Period(START - 3 * DAY + 17 * 60_000, START + 6 * DAY + 5)
EVENTS = drawn(700)
ZONES = ("UTC", "+08:00", "-03:30", "+13:45", "-12:00", "Europe/Berlin", "America/New_York")
PAIR = DimensionPair(NameKind.MODEL, NameKind.ACCOUNT)
EVENING = DayEnd(PAIR, -8 * 60)
"""The part of a UTC day that belongs to the next day in UTC+8."""
Found = list[dict[int, Figures]]


@pytest.fixture
async def paired(templates: Templates, folder: DataFolder) -> AsyncIterator[Database]:
    def fill(transaction: Transaction) -> None:
        store_all(transaction, add_pool(transaction), EVENTS)
        for day in range(FIRST, FIRST + 6):
            sum_up(transaction, 1, day)

    async with templates.opened("a week with pairs", fill, folder) as database:
        yield database


def days_of(zone: str, whole: Period = WHOLE) -> tuple[Period, ...]:
    return tuple(periods(whole, SeriesStep.DAY, zone_of(zone)))


def chart(transaction: Transaction, parts: Sequence[Period], wanted: UsageFilter, by: NameKind) -> Found:
    return part_sums(transaction, Query(1, NamedFilter(transaction, 1, wanted), by), parts)


def asked(transaction: Transaction, parts: Sequence[Period], wanted: UsageFilter, by: NameKind) -> set[DayEnd]:
    named = NamedFilter(transaction, 1, wanted)
    part_sums(transaction, Query(1, named, by), parts)
    return named.stored.wanted


def sum_ends(transaction: Transaction, end: DayEnd) -> list[int]:
    days = end_sums.unsummed(transaction, 1, end)
    for day in days:
        end_sums.sum_end(transaction, 1, day, end)
    return days


async def test_charts_in_every_zone_are_the_same_once_the_ends_are_summed_up(paired: Database) -> None:
    wishes = [
        (UsageFilter(model="model-1"), NameKind.ACCOUNT),
        (UsageFilter(model="model-2", account="account-3"), NameKind.TOTAL),
        (UsageFilter(failed=True), NameKind.PROVIDER),
        (UsageFilter(client=f"{3:016x}", failed=False), NameKind.CLIENT),
    ]
    weeks = [series_parts(Period(WHOLE.start, WHOLE.start + 40 * DAY), 12, zone_of(zone)).parts for zone in ZONES]

    def look(transaction: Transaction) -> None:
        questions = list(product([*map(days_of, ZONES), *weeks], wishes))
        before = [chart(transaction, parts, *wish) for parts, wish in questions]
        ends = {end for parts, wish in questions for end in asked(transaction, parts, *wish)}
        assert {end.minutes for end in ends} == {-480, 210, 615, -720, -60, -120, 240}
        assert all(sum_ends(transaction, end) for end in ends)
        assert [chart(transaction, parts, *wish) for parts, wish in questions] == before

    await paired.write(look)


async def test_no_event_is_read_of_days_whose_ends_are_summed_up(paired: Database) -> None:
    parts = days_of("+08:00", Period((FIRST + 1) * DAY - DAY // 3, (FIRST + 4) * DAY - DAY // 3))

    def look(transaction: Transaction) -> None:
        before = chart(transaction, parts, UsageFilter(model="model-1"), NameKind.ACCOUNT)
        assert sum_ends(transaction, EVENING) == list(reversed(range(FIRST, FIRST + 6)))
        transaction.exec_driver_sql("DELETE FROM usage_events")
        assert chart(transaction, parts, UsageFilter(model="model-1"), NameKind.ACCOUNT) == before
        assert len(before) == 3
        assert all(before)

    await paired.write(look)


async def test_a_late_event_voids_the_ends_of_its_day_until_they_are_made_anew(paired: Database) -> None:
    parts, wanted = days_of("+08:00"), UsageFilter(model="model-1")
    model = next(event for event in EVENTS if event.model == "model-1")
    late = replace(model, at=(FIRST + 3) * DAY - 5, digest=1)

    def requests(transaction: Transaction) -> list[int]:
        return [
            sum(each.requests for each in part.values()) for part in chart(transaction, parts, wanted, NameKind.ACCOUNT)
        ]

    def look(transaction: Transaction) -> None:
        sum_ends(transaction, EVENING)
        before = requests(transaction)
        store_all(transaction, 1, [late])
        place = next(place for place, part in enumerate(parts) if part.start <= late.at < part.end)
        after = [count + (each == place) for each, count in enumerate(before)]
        assert requests(transaction) == after
        assert end_sums.unsummed(transaction, 1, EVENING) == []
        day_sums.sum_day(transaction, 1, FIRST + 2)
        assert requests(transaction) == after
        pair_sums.sum_pair(transaction, 1, FIRST + 2, PAIR)
        assert sum_ends(transaction, EVENING) == [FIRST + 2]
        assert requests(transaction) == after

    await paired.write(look)


async def test_ends_are_not_made_of_days_that_have_lost_events_but_outlive_them(paired: Database) -> None:
    morning = DayEnd(PAIR, 210)

    def look(transaction: Transaction) -> None:
        sum_ends(transaction, EVENING)
        collectors.claim(transaction, 1, "one", now=0, term_ms=1, alone=True)
        assert retention.prune(transaction, 1, START + 9 * DAY, keep_days=6, keep_bytes=10**9)
        assert set(sum_ends(transaction, morning)) == {FIRST + 4, FIRST + 5}
        kept = set(
            transaction.execute(select(USAGE_SUMMED_ENDS.c.day).where(USAGE_SUMMED_ENDS.c.minutes == -480)).scalars()
        )
        assert kept == set(range(FIRST, FIRST + 6))

    await paired.write(look)


async def test_charts_of_days_whose_events_are_gone_read_sums_where_every_end_is_known(paired: Database) -> None:
    wish = (UsageFilter(model="model-1"), NameKind.ACCOUNT)
    zones = ("UTC", "+08:00", "-03:30")
    months = series_parts(
        Period(*(midnight(date(2026, month, 1), zone_of("+08:00")) for month in (3, 5))), 5, zone_of("+08:00")
    ).parts
    weeks = series_parts(Period((FIRST - 30) * DAY, (FIRST + 10) * DAY), 12, zone_of("UTC")).parts

    def look(transaction: Transaction) -> None:
        for day in range(FIRST + 6, FIRST + 40):
            sum_up(transaction, 1, day, (PAIR,))
        sum_ends(transaction, EVENING)
        before = {zone: chart(transaction, days_of(zone), *wish) for zone in zones}
        by_week = chart(transaction, weeks, *wish)
        by_month = chart(transaction, months, *wish)
        assert [sum(each.requests for each in part.values()) > 0 for part in by_month] == [True, True]
        collectors.claim(transaction, 1, "one", now=0, term_ms=1, alone=True)
        kept_from = (FIRST + 5) * DAY + 5
        while retention.prune(transaction, 1, kept_from + 90 * DAY, keep_days=90, keep_bytes=10**9):
            pass
        after = {zone: chart(transaction, days_of(zone), *wish) for zone in zones}
        # The first part begins within a day, whose events are gone.
        assert after["UTC"][1:] == before["UTC"][1:]
        assert after["+08:00"][1:] == before["+08:00"][1:]
        for part, was, found in zip(days_of("-03:30"), before["-03:30"], after["-03:30"], strict=True):
            assert found == (was if part.start >= kept_from else {}) or part.start < kept_from <= part.end
        assert chart(transaction, weeks, *wish) == by_week
        assert chart(transaction, months, *wish) == by_month

    await paired.write(look)


async def test_an_end_is_asked_for_before_any_pair_is_summed_up(database: Database) -> None:
    def look(transaction: Transaction) -> None:
        store_all(transaction, add_pool(transaction), EVENTS)
        assert asked(transaction, days_of("+08:00"), UsageFilter(model="model-1"), NameKind.ACCOUNT) == {EVENING}

    await database.write(look)


async def test_an_end_of_nearly_as_many_rows_as_events_is_left_to_them(
    paired: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(end_sums, "FEWEST_ROWS", 0)

    def look(transaction: Transaction) -> None:
        parts = days_of("+08:00")
        before = chart(transaction, parts, UsageFilter(model="model-1"), NameKind.ACCOUNT)
        assert sum_ends(transaction, EVENING)
        assert transaction.execute(select(func.count()).select_from(USAGE_DAY_ENDS)).scalar_one() == 0
        assert sum_ends(transaction, EVENING) == []
        assert chart(transaction, parts, UsageFilter(model="model-1"), NameKind.ACCOUNT) == before

    await paired.write(look)


async def test_the_ends_asked_for_last_are_kept_and_the_others_forgotten(paired: Database) -> None:
    def look(transaction: Transaction) -> None:
        for place, pair in enumerate(PAIRS):
            wanted_ends.want(transaction, 1, [DayEnd(pair, 60)], 1000 + place)
        wanted_ends.want(transaction, 1, [DayEnd(PAIRS[0], 60)], 2000)
        kept, forgotten = wanted_ends.wanted(transaction, 1, 3000)
        assert [end.pair for end in kept] == [PAIRS[0], *reversed(PAIRS[3:])]
        assert {end.pair for end in forgotten} == {PAIRS[1], PAIRS[2]}
        assert wanted_ends.wanted(transaction, 1, 70 * DAY)[0] == []
        sum_ends(transaction, kept[0])
        end_sums.remove(transaction, 1, kept[0])
        for table in (USAGE_DAY_ENDS, USAGE_SUMMED_ENDS):
            assert transaction.execute(select(func.count()).select_from(table)).scalar_one() == 0
        left = transaction.execute(select(func.count()).select_from(USAGE_WANTED_ENDS)).scalar_one()
        assert left == len(PAIRS) - 1

    await paired.write(look)


def test_the_ends_of_a_day_are_its_first_or_its_last_minutes() -> None:
    assert EVENING.of(3) == Period(3 * DAY + 16 * 3_600_000, 4 * DAY)
    assert DayEnd(PAIR, 210).of(3) == Period(3 * DAY, 3 * DAY + 210 * 60_000)
    assert DayEnd.until(PAIR, -8 * 3_600_000) == EVENING
    assert DayEnd.until(PAIR, 0) is None
    assert DayEnd.until(PAIR, 3_208_000) is None  # a mean time of the nineteenth century
