"""Parts of whole days of a reader, summed up from daily sums of UTC days.

Theory of operation: a reader's day begins some hours before or after a UTC day. Each UTC day is counted for the part
that holds most of it; the hours at a boundary between two parts are then moved from the one to the other. In UTC+8 that
reads one day and eight hours in place of twenty-four. Sums of integers can be taken away exactly.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Table

from extension.store.database.database import Transaction
from extension.store.usage.daily.summed_days import summed_days
from extension.store.usage.reading.query import Query
from extension.store.usage.reading.rollup_sums import DAYS, HOURS, Rollup, rollup_sums, summing_rows, within
from extension.store.usage.records import Figures
from extension.store.usage.summary import cost_figures, hour_figures
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
    def moved(self) -> range:
        """Hours between the begin of a part and that of its UTC day, relative to the begin of the part."""
        return range(-self.early, 0) if self.early > 0 else range(-self.early)

    def boundary_hours(self, moved: range) -> list[int]:
        """Return some hours at every boundary."""
        bounds = range(self.first, self.first + (self.count + 1) * self.length, self.length)
        return [bound + hour for bound in bounds for hour in moved]


def covered(transaction: Transaction, pool_id: int, parts: Sequence[Period]) -> int:
    """Return how many of the first parts can be summed up from daily sums."""
    layout = _layout(parts)
    if layout.length % DAY_HOURS:
        return 0
    summed = summed_days(transaction, pool_id, layout.days)
    each = layout.length // DAY_HOURS
    days = layout.days
    missing = next((place for place, day in enumerate(days) if day not in summed), len(days))
    return missing // each


def add_days(transaction: Transaction, query: Query, rollup: Rollup, parts: Sequence[Period], found: _Parts) -> None:
    """Add the whole hours of parts that are covered by daily sums."""
    layout = _layout(parts)
    reader = _RollupReader(transaction, query, rollup)
    for daily, hourly in ((DAYS.sums, HOURS.sums), (DAYS.costs, HOURS.costs), (DAYS.latencies, HOURS.latencies)):
        if daily is DAYS.latencies and not query.latencies:
            continue
        place = (daily.c.day - layout.days.start) // (layout.length // DAY_HOURS)
        for part, name_id, figures in reader.read(daily, within(daily.c.day, (layout.days,)), place):
            found[part][name_id].add(figures)
        _move(layout, found, hourly, reader)
    for named in found:
        _drop_nothing(named)


def _move(layout: _Layout, found: _Parts, hourly: Table, reader: "_RollupReader") -> None:
    """Move the hours between a boundary and the nearest midnight, and take away those that are no whole hours."""
    hours = layout.boundary_hours(layout.moved)
    if hours:
        boundary = (hourly.c.hour - (layout.first + layout.moved.start)) // layout.length
        to_earlier = layout.early > 0
        for place, name_id, figures in reader.read(hourly, hourly.c.hour.in_(hours), boundary):
            for part, adds in ((place - 1, to_earlier), (place, not to_earlier)):
                if 0 <= part < layout.count:
                    found[part][name_id].add(figures, 1 if adds else -1)
    if layout.shared:
        last = layout.boundary_hours(range(-1, 0))[1:]
        boundary = (hourly.c.hour - layout.first) // layout.length
        for part, name_id, figures in reader.read(hourly, hourly.c.hour.in_(last), boundary):
            found[part][name_id].add(figures, -1)


def _layout(parts: Sequence[Period]) -> _Layout:
    first, length = -(-parts[0].start // HOUR_MS), (parts[0].end - parts[0].start) // HOUR_MS
    return _Layout(first, length, len(parts), bool(parts[0].start % HOUR_MS))


@dataclass(frozen=True, slots=True)
class _RollupReader:
    """Reader of rollups for one question."""

    transaction: Transaction
    query: Query
    rollup: Rollup

    def read(self, table: Table, wanted: Any, place: Any) -> Iterator[tuple[int, int, Figures]]:
        """Yield place, id of the name, and figures of the rows with wanted times."""
        part = place.label("part")
        if table in {DAYS.latencies, HOURS.latencies}:
            latencies = rollup_sums(table, self.query, self.rollup, wanted, (part, table.c.bucket))
            for name_id, at, bucket, requests in self.transaction.execute(latencies).all():
                yield int(at), name_id, Figures(tokens={}, latencies={bucket: int(requests)})
            return
        figures_of = cost_figures if table in {DAYS.costs, HOURS.costs} else hour_figures
        for row in summing_rows(self.transaction, rollup_sums(table, self.query, self.rollup, wanted, (part,))):
            yield int(row.part), row.name_id, figures_of(row)


def _drop_nothing(named: dict[int, Figures]) -> None:
    """Drop the names and buckets of which every request was moved."""
    for name_id in [name_id for name_id, figures in named.items() if not figures.requests]:
        del named[name_id]
    for figures in named.values():
        figures.latencies = {bucket: count for bucket, count in figures.latencies.items() if count}
