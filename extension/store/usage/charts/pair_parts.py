"""Parts of whole days of a reader, put together from daily sums of a pair of dimensions.

Theory of operation: each part is taken as the UTC days between the midnights next to its ends. The time between such a
midnight and the end itself is then added to the part on one side and taken away from the one on the other: see
`moved_ends`. In UTC nothing does.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Final

from extension.store.database.database import Transaction
from extension.store.usage.charts.day_parts import whole_parts
from extension.store.usage.charts.moved_ends import add_buckets, known_ends, move_ends, utc_days
from extension.store.usage.daily.dimension_pairs import DimensionPair
from extension.store.usage.reading.pair_rows import counted_buckets, pair_day_latencies, pair_day_sums
from extension.store.usage.reading.query import Query
from extension.store.usage.records import Figures
from extension.store.usage.summary import event_figures
from extension.usage.calendar import HOUR_MS, Period
from extension.usage.spans import DAY_HOURS

_DAY_MS: Final = DAY_HOURS * HOUR_MS
_Parts = Sequence[dict[int, Figures]]


def paired(query: Query, parts: Sequence[Period]) -> tuple[DimensionPair | None, list[bool]]:
    """Return the pair whose sums serve equal parts, and of each whether they do; of the rest, events are read.

    They serve days whose events are gone, too, unless an end of a part is neither summed up nor among the events.
    """
    pair, days = query.filter.pair(query.by), utc_days(parts)
    if pair is None or (parts[0].end - parts[0].start) % _DAY_MS:
        return None, [False] * len(parts)
    ranges, _ = query.filter.stored.paired(pair, Period(days.start * _DAY_MS, days.stop * _DAY_MS))
    whole = whole_parts(days, len(parts), {day for each in ranges for day in each})
    known = known_ends(query, pair, parts)
    return pair, [all(each) for each in zip(whole, known, known[1:], strict=False)]


def add_pairs(
    transaction: Transaction, query: Query, pair: DimensionPair, parts: Sequence[Period], found: _Parts
) -> None:
    """Add the figures of parts for which there is a pair."""
    days, each = utc_days(parts), (parts[0].end - parts[0].start) // _DAY_MS
    stored = query.filter.stored
    rows = stored.rows(partial(pair_day_sums, query, pair, (days,)), ("pair days", query.event_key), (days,))
    for row in rows:
        found[(row.day - days.start) // each][row.name_id].add(event_figures(row))
    if query.latencies:
        texts: Iterable[Any] = stored.rows(
            partial(pair_day_latencies, query, pair, (days,)), ("pair day latencies", query.event_key), (days,)
        )
        for name_id, day, text in texts:
            add_buckets(found[(day - days.start) // each], name_id, counted_buckets((text,)), 1)
    move_ends(transaction, query, pair, parts, found)
    for part in found:
        for name_id in [name_id for name_id, figures in part.items() if not figures.requests]:
            del part[name_id]
