"""Sums for each part of a series, with a few statements for each run of parts of the same length."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from sqlalchemy import and_, or_

from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import USAGE_EVENTS
from extension.store.usage.charts.day_parts import add_days, covered
from extension.store.usage.charts.hour_parts import add_single_hours
from extension.store.usage.charts.pair_parts import add_pairs, paired
from extension.store.usage.reading.query import Query
from extension.store.usage.reading.rollup_sums import HOURS, Rollup, rollup_sums, summing_rows, within
from extension.store.usage.records import Figures
from extension.store.usage.summary import cost_figures, event_figures, event_latencies, event_sums, hour_figures, sums
from extension.usage.calendar import HOUR_MS, Period

_AT: Final = USAGE_EVENTS.c.at
_EDGES: Final = 40
"""Edges that one statement reads, each by the index of times."""
_Parts = list[dict[int, Figures]]


def part_sums(transaction: Transaction, query: Query, parts: Sequence[Period]) -> _Parts:
    """Return the figures of each part by the id of a name."""
    found: _Parts = [defaultdict(Figures) for _ in parts]
    rollup = query.filter.rollup(query.by)
    for run in _runs(parts):
        first = parts[run.start]
        length = first.end - first.start
        if len(run) == 1 and not (rollup is None and _is_paired(query, first)):
            found[run.start] = sums(query, first)
        elif rollup is None:
            _add_unrolled(transaction, query, parts[run.start : run.stop], found[run.start : run.stop])
        elif length % HOUR_MS:
            _add_events(transaction, query, parts[run.start : run.stop], found[run.start : run.stop])
        else:
            _add_rollups(transaction, query, rollup, parts[run.start : run.stop], found[run.start : run.stop])
    return found


def _runs(parts: Sequence[Period]) -> Iterator[range]:
    """Yield the places of consecutive parts of the same length."""
    start = 0
    for place in range(1, len(parts) + 1):
        ended = place == len(parts) or (
            parts[place].end - parts[place].start != parts[start].end - parts[start].start
            or parts[place].start != parts[place - 1].end
        )
        if ended:
            yield range(start, place)
            start = place


def _is_paired(query: Query, part: Period) -> bool:
    """Return whether the sums of a pair serve a part alone, as a month, which is rarely as long as the one before."""
    _, (is_served,) = paired(query, (part,))
    return is_served


def _add_unrolled(transaction: Transaction, query: Query, parts: Sequence[Period], found: _Parts) -> None:
    """Add parts that no rollup of one dimension serves."""
    pair, served = paired(query, parts)
    for run, is_served in _alike(served):
        if pair is not None and is_served:
            add_pairs(transaction, query, pair, parts[run], found[run])
        else:
            _add_events(transaction, query, parts[run], found[run])


def _add_rollups(
    transaction: Transaction, query: Query, rollup: Rollup, parts: Sequence[Period], found: _Parts
) -> None:
    for run, is_covered in _alike(covered(query, parts)):
        if is_covered:
            add_days(query, rollup, parts[run], found[run])
        else:
            _add_hours(transaction, query, rollup, parts[run], found[run])
    if parts[0].start % HOUR_MS:
        for edges in _batched_edges(parts):
            _add_events(transaction, query, parts, found, edges)


def _alike(marks: Sequence[bool]) -> Iterator[tuple[slice, bool]]:
    """Yield the places of consecutive equal marks, and the mark."""
    start = 0
    for mark, run in groupby(marks):
        end = start + len(list(run))
        yield slice(start, end), mark
        start = end


def _add_events(
    transaction: Transaction, query: Query, parts: Sequence[Period], found: _Parts, edges: Sequence[Period] = ()
) -> None:
    """Add the events of parts, or of some edges within them alone."""
    whole, length = Period(parts[0].start, parts[-1].end), parts[0].end - parts[0].start
    part = ((_AT - whole.start) // length).label("part")
    among = (or_(*(and_(edge.start <= _AT, edge.end > _AT) for edge in edges)),) if edges else ()
    for row in summing_rows(transaction, event_sums(query, whole, (part,)).where(*among)):
        found[int(row.part)][row.name_id].add(event_figures(row))
    if query.latencies:
        latencies = event_latencies(query, whole, (part,)).where(*among)
        for name_id, place, bucket, requests in transaction.execute(latencies).all():
            counts = found[int(place)][name_id].latencies
            counts[bucket] = counts.get(bucket, 0) + int(requests)


def _add_hours(transaction: Transaction, query: Query, rollup: Rollup, parts: Sequence[Period], found: _Parts) -> None:
    """Add the hours that lie in a part as a whole."""
    length = (parts[0].end - parts[0].start) // HOUR_MS
    whole = Period(parts[0].start, parts[-1].end)
    if length == 1 and not whole.edges:
        add_single_hours(query, rollup, whole, found)
        return
    for table in (HOURS.sums, HOURS.costs, *((HOURS.latencies,) if query.latencies else ())):
        # In hours: the milliseconds of an hour number are beyond the integers of PostgreSQL.
        since = table.c.hour - whole.hours.start
        wanted = within(table.c.hour, (whole.hours,))
        if whole.start % HOUR_MS:
            # Where parts begin within an hour, their last hour is shared and counted event by event.
            wanted = and_(wanted, since % length < length - 1)
        part = (since // length).label("part")
        if table is HOURS.latencies:
            latencies = rollup_sums(table, query, rollup, wanted, (part, table.c.bucket))
            for name_id, place, bucket, requests in transaction.execute(latencies).all():
                found[int(place)][name_id].latencies[bucket] = int(requests)
            continue
        read = hour_figures(query) if table is HOURS.sums else cost_figures
        for row in summing_rows(transaction, rollup_sums(table, query, rollup, wanted, (part,))):
            found[int(row.part)][row.name_id].add(read(row))


def _batched_edges(parts: Sequence[Period]) -> Iterator[Sequence[Period]]:
    """Yield the edges of parts, at most so many for one statement; those of neighbors are one shared hour."""
    bounds = [parts[0].start, *(part.end for part in parts)]
    shared = [Period(bound // HOUR_MS * HOUR_MS, -(-bound // HOUR_MS) * HOUR_MS) for bound in bounds]
    first, last = parts[0].start, parts[-1].end
    inside = [Period(max(hour.start, first), min(hour.end, last)) for hour in shared]
    for start in range(0, len(inside), _EDGES):
        yield inside[start : start + _EDGES]
