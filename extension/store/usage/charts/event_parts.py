"""Parts of a chart that are shorter than an hour: sums of all requests and of some names from one reading of events."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import USAGE_EVENTS
from extension.store.usage.dimensions import NO_NAME
from extension.store.usage.reading.query import Query
from extension.store.usage.records import Figures
from extension.store.usage.summary import REST, event_figures, event_latencies, event_sums
from extension.usage.calendar import Period

_AT: Final = USAGE_EVENTS.c.at
_Parts = list[dict[int, Figures]]


def event_parts(transaction: Transaction, total: Query, by: Query, parts: Sequence[Period]) -> tuple[_Parts, _Parts]:
    """Return the figures of all requests in each part, and those of the names that `by` asks for.

    All parts but the first and the last are equally long.
    """
    wholes: _Parts = [defaultdict(Figures) for _ in parts]
    named: _Parts = [defaultdict(Figures) for _ in parts]
    length = max(part.end - part.start for part in parts)
    period = Period(parts[0].start, parts[-1].end)
    place = ((_AT - (parts[0].end - length)) // length if len(parts) > 1 else (_AT - parts[0].start) // length).label(
        "part"
    )
    for row in transaction.execute(event_sums(replace(by, rest=True), period, (place,))):
        figures = event_figures(row)
        wholes[row.part][NO_NAME].add(figures)
        if row.name_id != REST:
            named[row.part][row.name_id].add(figures)
    for _, part, bucket, requests in transaction.execute(event_latencies(total, period, (place,))):
        wholes[part][NO_NAME].latencies[bucket] = int(requests)
    return wholes, named
