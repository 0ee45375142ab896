"""Parts of whole days of a reader, summed up from daily sums of UTC days.

Theory of operation: a reader's day begins some hours before or after a UTC day. Each UTC day is counted for the part
that holds most of it; the hours at a boundary between two parts are then moved from the one to the other. In UTC+8 that
reads one day and eight hours in place of twenty-four. Sums of integers can be taken away exactly. The database adds and
takes away, in one statement for each kind of sums: a chart of three months would otherwise read thousands of rows.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Row, Table, and_, bindparam, literal, select, true, union_all

from extension.store.usage.reading.query import Query
from extension.store.usage.reading.rollup_sums import (
    DAYS,
    HOURS,
    Rollup,
    integer_sum,
    numbers_of,
    rollup_conditions,
    shown_name,
    within,
)
from extension.store.usage.records import Figures
from extension.store.usage.summary import hour_figures, with_costs
from extension.usage.calendar import HOUR_MS, Period
from extension.usage.spans import DAY_HOURS

_NOON: Final = DAY_HOURS // 2
_Parts = Sequence[dict[int, Figures]]


@dataclass(frozen=True, slots=True)
class _Layout:
    """Hours of parts of equal length: `first` is the first hour of the first part, `length` the hours of each.

    `shared` is true where parts begin within an hour; the last hour of a part is then no whole one.
    """

    first: int
    length: int
    count: int
    shared: bool

    @property
    def early(self) -> int:
        """Hours by which the UTC day of a part begins before the part; below zero, after it."""
        phase = self.first % DAY_HOURS
        return phase if phase <= _NOON else phase - DAY_HOURS

    @property
    def days(self) -> range:
        """All UTC days that are counted."""
        start = (self.first - self.early) // DAY_HOURS
        return range(start, start + self.count * self.length // DAY_HOURS)

    @property
    def touched(self) -> range:
        """All UTC days of which an hour is read."""
        hours, end = self.moved, self.first + self.count * self.length
        first, last = self.first + min(hours.start, 0), end + max(hours.stop, 0) - 1
        return range(min(self.days.start, first // DAY_HOURS), max(self.days.stop, last // DAY_HOURS + 1))

    @property
    def moved(self) -> range:
        """Hours between the begin of a part and that of its UTC day, relative to the begin of the part."""
        return range(-self.early, 0) if self.early > 0 else range(-self.early)

    def boundary_hours(self, moved: range) -> list[int]:
        """Return some hours at every boundary."""
        bounds = range(self.first, self.first + (self.count + 1) * self.length, self.length)
        return [bound + hour for bound in bounds for hour in moved]


def covered(query: Query, parts: Sequence[Period]) -> list[bool]:
    """Return of each part whether it can be summed up from daily sums."""
    layout = _layout(parts)
    if layout.length % DAY_HOURS:
        return [False] * len(parts)
    summed = query.filter.stored.summed(layout.days)
    return whole_parts(layout.days, len(parts), summed)


def whole_parts(days: range, count: int, summed: Collection[int]) -> list[bool]:
    """Return of each of so many parts of consecutive days whether all its days are summed up."""
    each = len(days) // count
    return [all(day in summed for day in days[start : start + each]) for start in range(0, len(days), each)]


def add_days(query: Query, rollup: Rollup, parts: Sequence[Period], found: _Parts) -> None:
    """Add the whole hours of parts that are covered by daily sums."""
    if len(parts) > 2 and query.filter.stored.stamps(_layout(parts).touched) is None:  # noqa: PLR2004 - both ends
        # A part at an end touches a day that is not summed up, as yesterday does west of Greenwich.
        for part in (slice(1), slice(1, -1), slice(-1, None)):
            _add_days(query, rollup, parts[part], found[part])
    else:
        _add_days(query, rollup, parts, found)


def _add_days(query: Query, rollup: Rollup, parts: Sequence[Period], found: _Parts) -> None:
    layout, read = _layout(parts), hour_figures(query)

    def rows(daily: Table, hourly: Table) -> Iterable[Row[Any]]:
        found = query.filter.stored.rows(
            lambda: _moved_sums(layout, query, rollup, daily, hourly),
            (layout, daily.name, query.key),
            (layout.touched,),
        )
        return (row for row in found if row.requests)

    for row in rows(DAYS.sums, HOURS.sums):
        put(found[row.part], row.name_id, read(row))
    for row in rows(DAYS.costs, HOURS.costs):
        with_costs(found[row.part][row.name_id], row)
    if query.latencies:
        for row in rows(DAYS.latencies, HOURS.latencies):
            found[row.part][row.name_id].latencies[row.bucket] = row.requests


def put(found: dict[int, Figures], name_id: int, figures: Figures) -> None:
    """Add figures to those of a name; the first are taken as they are, since a chart has thousands."""
    there = found.get(name_id)
    if there is None:
        found[name_id] = figures
    else:
        there.add(figures)


def _moved_sums(layout: _Layout, query: Query, rollup: Rollup, daily: Table, hourly: Table) -> Any:
    """Return the statement that sums up days, moved hours and those to take away by part, name and further keys."""
    place = (daily.c.day - layout.days.start) // (layout.length // DAY_HOURS)
    reading = _Reading(query, rollup)
    read = [reading.rows(daily, within(daily.c.day, (layout.days,)), place, literal(1))]
    moved = layout.boundary_hours(layout.moved)
    if moved:
        boundary = (hourly.c.hour - (layout.first + layout.moved.start)) // layout.length
        sign = 1 if layout.early > 0 else -1
        sides = union_all(_side(-1, sign), _side(0, -sign)).subquery("sides")
        part = boundary + sides.c.part
        within_chart = and_(_among(hourly, moved), part >= 0, part < layout.count)
        read.append(reading.rows(hourly, within_chart, part, sides.c.sign, hourly.join(sides, true())))
    if layout.shared:
        last = layout.boundary_hours(range(-1, 0))[1:]
        boundary = (hourly.c.hour - layout.first) // layout.length
        read.append(reading.rows(hourly, _among(hourly, last), boundary, literal(-1)))
    rows = union_all(*read).subquery("rows")
    keys = [rows.c[key] for key in ("name_id", "part", *_further_keys(daily))]
    return select(*keys, *(integer_sum(rows.c[number.name]) for number in numbers_of(daily, query))).group_by(*keys)


def _among(hourly: Table, hours: Sequence[int]) -> Any:
    # As literals: hundreds of parameters take a driver longer than the hours themselves take the database.
    wanted: Any = bindparam("hours", list(hours), expanding=True, literal_execute=True, unique=True)
    return hourly.c.hour.in_(wanted)


def _side(part: int, sign: int) -> Any:
    return select(literal(part).label("part"), literal(sign).label("sign"))


def _further_keys(table: Table) -> tuple[str, ...]:
    return ("bucket",) if "bucket" in table.c else ()


@dataclass(frozen=True, slots=True)
class _Reading:
    """Rows of rollups for one question."""

    query: Query
    rollup: Rollup

    def rows(self, table: Table, wanted: Any, part: Any, sign: Any, source: Any = None) -> Any:
        """Return a statement that reads rows at wanted times for a part, to be added or taken away."""
        keys = (table.c[key] for key in _further_keys(table))
        numbers = ((number * sign).label(number.name) for number in numbers_of(table, self.query))
        chosen = (shown_name(table, self.query), part.label("part"), *keys, *numbers)
        read = select(*chosen).select_from(table if source is None else source)
        return read.where(*rollup_conditions(table, self.query, self.rollup), wanted)


def _layout(parts: Sequence[Period]) -> _Layout:
    first, length = -(-parts[0].start // HOUR_MS), (parts[0].end - parts[0].start) // HOUR_MS
    return _Layout(first, length, len(parts), bool(parts[0].start % HOUR_MS))
