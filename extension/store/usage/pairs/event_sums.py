"""Summing up of events by the names of a pair of dimensions, into a table of such sums."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, String, Table, cast, func, insert, literal, select

from extension.store.database.database import Transaction
from extension.store.schema.usage_day_tables import PAIR_NUMBERS
from extension.store.schema.usage_tables import USAGE_EVENTS
from extension.store.usage.daily.dimension_pairs import DimensionPair
from extension.store.usage.dimensions import COLUMNS
from extension.store.usage.reading.event_figures import event_figure_columns
from extension.store.usage.reading.latency_bucket import LATENCY_BUCKET


def sum_events(
    transaction: Transaction,
    table: Table,
    keys: Mapping[str, int],
    pair: DimensionPair,
    wanted: Sequence[ColumnElement[bool]],
) -> int:
    """Store the sums of the events that fulfil some conditions, with the same keys, and return how many rows."""
    event = USAGE_EVENTS.c
    names = (event[COLUMNS[pair.first]].label("first_id"), event[COLUMNS[pair.second]].label("second_id"))
    counted = select(*names, LATENCY_BUCKET, *event_figure_columns()).where(*wanted)
    part = counted.group_by("first_id", "second_id", LATENCY_BUCKET.name).subquery("part").c
    latency = cast(part.bucket, String).concat(" ").concat(cast(part.requests, String))
    source = select(
        *(literal(key) for key in keys.values()),
        part.first_id,
        part.second_id,
        func.sum(part.requests),
        func.aggregate_strings(latency, ","),
        *(func.nullif(func.sum(part[name]), 0) for name in PAIR_NUMBERS),
    ).group_by(part.first_id, part.second_id)
    columns = [*keys, "first_id", "second_id", "requests", "latencies", *PAIR_NUMBERS]
    # In the order of the names, so that rows that are read together lie together.
    making: Any = insert(table).from_select(columns, source.order_by(part.first_id, part.second_id))
    return int(transaction.execute(making.execution_options(preserve_rowcount=True)).rowcount)
