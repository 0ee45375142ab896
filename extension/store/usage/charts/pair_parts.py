"""Parts of whole days of a reader, put together from daily sums of a pair of dimensions and events.

Theory of operation: each part is taken as the UTC days between the midnights next to its ends. The events between such
a midnight and the end itself are then added to the part on one side and taken away from the one on the other. In UTC+8
that reads a third of the events, in UTC none.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from extension.store.database.database import Transaction
from extension.store.schema.dialects import in_stripes
from extension.store.schema.usage_tables import USAGE_EVENTS
from extension.store.usage.charts.day_parts import whole_parts
from extension.store.usage.daily.dimension_pairs import DimensionPair
from extension.store.usage.reading.pair_rows import counted_buckets, pair_day_latencies, pair_day_sums
from extension.store.usage.reading.query import Query
from extension.store.usage.records import Figures
from extension.store.usage.summary import event_figures, event_latencies, event_sums
from extension.usage.calendar import HOUR_MS, Period
from extension.usage.spans import DAY_HOURS

_DAY_MS: Final = DAY_HOURS * HOUR_MS
_AT: Final = USAGE_EVENTS.c.at
_Parts = Sequence[dict[int, Figures]]


def paired(query: Query, parts: Sequence[Period]) -> tuple[DimensionPair | None, list[bool]]:
    """Return the pair whose sums serve equal parts, and of each whether they do; of the rest, events are read."""
    pair, days = query.filter.pair(query.by), _days(parts)
    length = parts[0].end - parts[0].start
    if pair is None or length % _DAY_MS or not query.filter.stored.has_events_since(parts[0].start - _DAY_MS):
        return None, [False] * len(parts)
    ranges, _ = query.filter.stored.paired(pair, Period(days.start * _DAY_MS, days.stop * _DAY_MS))
    return pair, whole_parts(days, len(parts), {day for each in ranges for day in each})


def add_pairs(
    transaction: Transaction, query: Query, pair: DimensionPair, parts: Sequence[Period], found: _Parts
) -> None:
    """Add the figures of parts for which there is a pair."""
    days, each = _days(parts), (parts[0].end - parts[0].start) // _DAY_MS
    stored = query.filter.stored
    rows = stored.rows(partial(pair_day_sums, query, pair, (days,)), ("pair days", query.event_key), (days,))
    for row in rows:
        found[(row.day - days.start) // each][row.name_id].add(event_figures(row))
    if query.latencies:
        texts: Iterable[Any] = stored.rows(
            partial(pair_day_latencies, query, pair, (days,)), ("pair day latencies", query.event_key), (days,)
        )
        for name_id, day, text in texts:
            _add_buckets(found[(day - days.start) // each], name_id, counted_buckets((text,)), 1)
    _move(transaction, query, parts, days, found)
    for part in found:
        for name_id in [name_id for name_id, figures in part.items() if not figures.requests]:
            del part[name_id]


def _days(parts: Sequence[Period]) -> range:
    """Return the UTC days between the midnights next to the ends of equal parts."""
    start = (parts[0].start + _DAY_MS // 2) // _DAY_MS
    return range(start, start + (parts[-1].end - parts[0].start) // _DAY_MS)


def _move(transaction: Transaction, query: Query, parts: Sequence[Period], days: range, found: _Parts) -> None:
    """Move the events between each end of a part and the midnight next to it to the part that they are of."""
    length, late = parts[0].end - parts[0].start, parts[0].start - days.start * _DAY_MS
    if not late:
        return
    first = min(parts[0].start, days.start * _DAY_MS)
    starts = range(first, first + (len(parts) + 1) * length, length)
    period = Period(first, starts[-1] + abs(late))
    place = ((_AT - first) // length).label("part")
    among = in_stripes(transaction, _AT, starts, abs(late))
    sides = ((-1, 1), (0, -1)) if late > 0 else ((-1, -1), (0, 1))

    def rows(statement: Any) -> Iterable[Any]:
        return transaction.execute(statement.where(among)).all()

    for row in rows(event_sums(query, period, (place,))):
        for side, sign in sides:
            if row.requests and 0 <= row.part + side < len(parts):
                found[row.part + side][row.name_id].add(event_figures(row), sign)
    if query.latencies:
        for name_id, part, bucket, requests in rows(event_latencies(query, period, (place,))):
            for side, sign in sides:
                if 0 <= part + side < len(parts):
                    _add_buckets(found[part + side], name_id, {bucket: int(requests)}, sign)


def _add_buckets(found: dict[int, Figures], name_id: int, counts: Mapping[int, int], sign: int) -> None:
    there = found[name_id].latencies
    for bucket, requests in counts.items():
        left = there.get(bucket, 0) + sign * requests
        if left:
            there[bucket] = left
        else:
            del there[bucket]
