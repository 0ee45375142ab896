"""The parts of a series equal sums over the events, in every zone and at every length."""

from dataclasses import replace
from itertools import product

import pytest
from sqlalchemy import event

from extension.store.database.database import Database, Transaction
from extension.store.usage.charts.event_parts import event_parts
from extension.store.usage.charts.series import part_sums
from extension.store.usage.dimensions import NameKind
from extension.store.usage.filtering import NamedFilter
from extension.store.usage.names import texts
from extension.store.usage.reading.query import Query
from extension.store.usage.reading.ranking import ranking
from extension.store.usage.records import UsageFilter
from extension.usage.calendar import HOUR_MS, Period, SeriesStep, periods, zone_of
from extension.usage.series_parts import series_parts
from tests.extension.store.usage.samples import DAY, START
from tests.extension.store.usage.test_summary import expected

WHOLE = Period(START + 17 * 60_000, START + 6 * DAY + 5)


async def test_every_part_equals_a_sum_over_its_events(filled: Database) -> None:
    wishes = [(10, UsageFilter()), (60, UsageFilter(model="model-1")), (30, UsageFilter(failed=True))]
    wishes += [(11, UsageFilter(client=f"{3:016x}")), (11, UsageFilter(client=f"{3:016x}", failed=False))]
    zones = ("UTC", "+08:00", "-03:30", "+13:45", "Europe/Berlin", "America/New_York")

    def look(transaction: Transaction) -> None:
        for (most, wanted), zone, by in product(wishes, zones, (NameKind.TOTAL, NameKind.MODEL)):
            cut = series_parts(WHOLE, most, zone_of(zone))
            assert len(cut.parts) <= most
            query = Query(1, NamedFilter(transaction, 1, wanted), by)
            for part, found in zip(cut.parts, part_sums(transaction, query, cut.parts), strict=True):
                named = texts(transaction, set(found))
                assert {named[name]: figures for name, figures in found.items()} == expected(wanted, by, part)

    await filled.read(look)


async def test_parts_shorter_than_an_hour_are_counted_too(filled: Database) -> None:
    whole = Period(START, START + 3 * HOUR_MS)
    cut = series_parts(whole, 400, zone_of("UTC"))
    assert cut.length == "1m"

    def look(transaction: Transaction) -> int:
        query = Query(1, NamedFilter(transaction, 1, UsageFilter()), NameKind.TOTAL)
        return sum(each.requests for found in part_sums(transaction, query, cut.parts) for each in found.values())

    assert await filled.read(look) == expected(UsageFilter(), NameKind.TOTAL, whole)[""].requests > 0


@pytest.mark.parametrize(("zone", "most"), [("+08:00", 20), ("-03:30", 32)])
async def test_the_number_of_statements_does_not_grow_with_the_days(database: Database, zone: str, most: int) -> None:
    def count(transaction: Transaction, days: int) -> int:
        sent: list[str] = []
        cut = periods(Period(WHOLE.start, WHOLE.start + days * DAY), SeriesStep.DAY, zone_of(zone))

        @event.listens_for(transaction, "before_cursor_execute")
        def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
            sent.append(statement)

        part_sums(transaction, Query(1, NamedFilter(transaction, 1, UsageFilter()), NameKind.MODEL), tuple(cut))
        event.remove(transaction, "before_cursor_execute", note)
        return len(sent)

    assert await database.read(lambda transaction: count(transaction, 10)) <= most
    assert await database.read(lambda transaction: count(transaction, 30)) <= most


@pytest.mark.parametrize("wanted", [UsageFilter(), UsageFilter(failed=True)], ids=["all", "failed"])
@pytest.mark.parametrize("by", [NameKind.MODEL, NameKind.FAILURE])
async def test_short_parts_of_all_and_of_some_names_are_read_at_once(
    filled: Database, wanted: UsageFilter, by: NameKind
) -> None:
    whole = Period(START + DAY + 7 * 60_000 + 5, START + 2 * DAY - 3)
    parts = series_parts(whole, 120, zone_of("UTC")).parts

    def look(transaction: Transaction) -> None:
        named = NamedFilter(transaction, 1, wanted)
        total = Query(1, named, NameKind.TOTAL, buckets=False)
        groups = Query(1, named, by, latencies=False, buckets=False)
        few = replace(groups, names=ranking(transaction, groups, whole)[:2])
        assert len(few.names or ()) == 2
        found = event_parts(transaction, total, few, parts)
        assert found == (part_sums(transaction, total, parts), part_sums(transaction, few, parts))

    await filled.read(look)
    assert len(parts) > 90
