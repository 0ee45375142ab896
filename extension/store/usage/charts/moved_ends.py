"""Moving of the time between a reader's midnights and those of UTC to its part.

Theory of operation: the parts hold UTC days, and each reader's day begins some hours before or after one. The time in
between is one end of a UTC day. Its sums are read where the service has made them, which it does for the ends that
charts ask for; elsewhere its events are read, in UTC+8 a third of all.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any, Final

from extension.store.database.database import Transaction
from extension.store.schema.dialects import in_stripes
from extension.store.schema.usage_tables import USAGE_EVENTS
from extension.store.usage.daily.day_end import DayEnd
from extension.store.usage.daily.dimension_pairs import DimensionPair
from extension.store.usage.reading.pair_rows import counted_buckets, end_latencies, end_sums
from extension.store.usage.reading.query import Query
from extension.store.usage.records import Figures
from extension.store.usage.summary import event_figures, event_latencies, event_sums
from extension.usage.calendar import HOUR_MS, Period
from extension.usage.spans import DAY_HOURS

_DAY_MS: Final = DAY_HOURS * HOUR_MS
_AT: Final = USAGE_EVENTS.c.at
_Parts = Sequence[dict[int, Figures]]


def utc_days(parts: Sequence[Period]) -> range:
    """Return the UTC days between the midnights next to the ends of equal parts."""
    start = (parts[0].start + _DAY_MS // 2) // _DAY_MS
    return range(start, start + (parts[-1].end - parts[0].start) // _DAY_MS)


def known_ends(query: Query, pair: DimensionPair, parts: Sequence[Period]) -> list[bool]:
    """Return of the ends before, between and after equal parts whether there are sums or events to move."""
    starts, late = _ends_of(parts)
    _, summed = _summed_ends(query, pair, starts, late)
    stored = query.filter.stored
    return [not late or start // _DAY_MS in summed or stored.has_events_since(start) for start in starts]


def move_ends(
    transaction: Transaction, query: Query, pair: DimensionPair, parts: Sequence[Period], found: _Parts
) -> None:
    """Move the ends of days from the part that holds their UTC day to the one that they are of."""
    starts, late = _ends_of(parts)
    if not late:
        return
    moved = _Moved(starts, abs(late), late > 0, found)
    end, summed = _summed_ends(query, pair, starts, late)
    for is_summed, run in _alike(moved.starts, summed):
        if end is not None and is_summed:
            _move_sums(query, end, run, moved)
        else:
            _move_events(transaction, query, run, moved)


def _ends_of(parts: Sequence[Period]) -> tuple[range, int]:
    """Return where the ends of days beside equal parts begin, and by how much a part begins after midnight UTC."""
    midnight, length = utc_days(parts).start * _DAY_MS, parts[0].end - parts[0].start
    first = min(parts[0].start, midnight)
    return range(first, first + (len(parts) + 1) * length, length), parts[0].start - midnight


def _summed_ends(query: Query, pair: DimensionPair, starts: range, late: int) -> tuple[DayEnd | None, frozenset[int]]:
    """Return the end between the midnights, and the days of which it is summed up."""
    end = DayEnd.until(pair, late)
    days = range(starts[0] // _DAY_MS, starts[-1] // _DAY_MS + 1)
    return end, frozenset[int]() if end is None else query.filter.stored.ends(end, days)


@dataclass(frozen=True, slots=True)
class _Moved:
    """Ends between parts: where each begins, how long they are, and whether they follow the midnight of UTC."""

    starts: range
    width: int
    after_midnight: bool
    found: _Parts

    def sides(self, place: int) -> Iterator[tuple[dict[int, Figures], int]]:
        """Yield the parts beside an end with 1 where it is to be added and -1 where it is to be taken away."""
        for side, sign in ((-1, 1), (0, -1)) if self.after_midnight else ((-1, -1), (0, 1)):
            if 0 <= place + side < len(self.found):
                yield self.found[place + side], sign

    def move(self, place: int, row: Any) -> None:
        """Move the sums of an end."""
        for part, sign in self.sides(place) if row.requests else ():
            part[row.name_id].add(event_figures(row), sign)

    def move_latencies(self, place: int, name_id: int, counts: Mapping[int, int]) -> None:
        """Move the histogram of an end."""
        for part, sign in self.sides(place):
            add_buckets(part, name_id, counts, sign)


def _alike(starts: range, summed: frozenset[int]) -> Iterator[tuple[bool, range]]:
    """Yield the consecutive ends that are summed up, and those that are not."""
    place = 0
    for is_summed, run in groupby(start // _DAY_MS in summed for start in starts):
        count = len(list(run))
        yield is_summed, starts[place : place + count]
        place += count


def _move_sums(query: Query, end: DayEnd, run: range, moved: _Moved) -> None:
    first, step, stored = run.start // _DAY_MS, run.step // _DAY_MS, query.filter.stored
    before = moved.starts.index(run.start)
    each = [range(day, day + 1) for day in range(first, first + step * len(run), step)]
    days = each if step > 1 else [range(first, first + len(run))]
    rows = stored.rows(partial(end_sums, query, end, days), ("end sums", end, query.event_key), days)
    for row in rows:
        moved.move(before + (row.day - first) // step, row)
    if query.latencies:
        texts: Iterable[Any] = stored.rows(
            partial(end_latencies, query, end, days), ("end latencies", end, query.event_key), days
        )
        for name_id, day, text in texts:
            moved.move_latencies(before + (day - first) // step, name_id, counted_buckets((text,)))


def _move_events(transaction: Transaction, query: Query, run: range, moved: _Moved) -> None:
    before, period = moved.starts.index(run.start), Period(run.start, run[-1] + moved.width)
    place = ((_AT - run.start) // run.step).label("part")
    among = in_stripes(transaction, _AT, run, moved.width)
    for row in transaction.execute(event_sums(query, period, (place,)).where(among)).all():
        moved.move(before + row.part, row)
    if query.latencies:
        for name_id, part, bucket, requests in transaction.execute(
            event_latencies(query, period, (place,)).where(among)
        ).all():
            moved.move_latencies(before + part, name_id, {bucket: int(requests)})


def add_buckets(found: dict[int, Figures], name_id: int, counts: Mapping[int, int], sign: int) -> None:
    """Add a histogram to that of a name, or take it away with the sign -1."""
    there = found[name_id].latencies
    for bucket, requests in counts.items():
        left = there.get(bucket, 0) + sign * requests
        if left:
            there[bucket] = left
        else:
            del there[bucket]
