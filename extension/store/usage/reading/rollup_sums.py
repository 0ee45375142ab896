"""Statements that sum up rollups, by the hour and by the day."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import BigInteger, Row, Table, and_, cast, func, literal, or_, select

from extension.store.database.database import Transaction
from extension.store.schema.usage_day_tables import USAGE_DAY_COSTS, USAGE_DAY_LATENCIES, USAGE_DAYS
from extension.store.schema.usage_tables import USAGE_COSTS, USAGE_HOURS, USAGE_LATENCIES
from extension.store.usage.dimensions import NO_NAME, NameKind
from extension.store.usage.reading.query import Query
from extension.usage.tokens import BUCKETS

Rollup = tuple[NameKind, int | None]
"""Dimension of a rollup, and the name in it or None for all."""


@dataclass(frozen=True, slots=True)
class RollupLevel:
    """Tables of one unit of time, and the name of the column that holds its number."""

    sums: Table
    latencies: Table
    costs: Table
    unit: str


HOURS: Final = RollupLevel(USAGE_HOURS, USAGE_LATENCIES, USAGE_COSTS, "hour")
_MONEY: Final = "pico_usd"
DETAILS: Final = frozenset({*BUCKETS, "unclassified", "inconsistent"})
"""Numbers that are shown in tables alone."""
DAYS: Final = RollupLevel(USAGE_DAYS, USAGE_DAY_LATENCIES, USAGE_DAY_COSTS, "day")


def rollup_sums(table: Table, query: Query, rollup: Rollup, wanted: Any, more: Sequence[Any] = ()) -> Any:
    """Return a statement that sums rows of a rollup at wanted times; `more` are columns to group by."""
    # A rollup of the total has one name, and one of a filtered name is read of that name alone.
    total = query.by is NameKind.TOTAL
    chosen = (shown_name(table, query), *more, *(integer_sum(column) for column in numbers_of(table, query)))
    grouped = (*(() if total else (table.c.name_id,)), *more)
    return select(*chosen).where(*rollup_conditions(table, query, rollup), wanted).group_by(*grouped)


def rollup_conditions(table: Table, query: Query, rollup: Rollup) -> list[Any]:
    """Return the conditions on rows of a rollup that a question is about."""
    kind, name_id = rollup
    row = table.c
    conditions = [row.pool_id == query.pool_id, row.dimension == kind.value]
    if name_id is not None:
        conditions.append(row.name_id == name_id)
    if query.names is not None:
        conditions.append(row.name_id.in_(query.names))
    return conditions


def shown_name(table: Table, query: Query) -> Any:
    """Return the id of the name that a row counts for."""
    return (literal(NO_NAME) if query.by is NameKind.TOTAL else table.c.name_id).label("name_id")


def numbers_of(table: Table, query: Query) -> list[Any]:
    """Return the columns that a question sums up, in the order of the table."""
    left_out = () if query.buckets else DETAILS
    return [column for column in table.c if not column.primary_key and column.name not in left_out]


def integer_sum(column: Any) -> Any:
    """Return the sum of a column, as an integer where it fits one.

    PostgreSQL sums up large integers as decimal numbers, which take most of the time to read. Money keeps them: sums of
    picodollars beyond nine million dollars are no integers of 64 bits.
    """
    summed = func.sum(column)
    return (summed if column.name == _MONEY else cast(summed, BigInteger)).label(column.name)


def within(column: Any, ranges: Sequence[range]) -> Any:
    """Return the condition that a number lies in one of some ranges."""
    return or_(*(and_(column >= each.start, column < each.stop) for each in ranges))


def unit_rows(
    query: Query, level: RollupLevel, ranges: Sequence[range], what: Hashable, statement: Callable[[], Any]
) -> Iterable[Any]:
    """Return the rows of a statement that reads `what` from a rollup; those of whole days may be remembered."""
    stored = query.filter.stored
    return stored.rows(statement, (what, query.key), ranges) if level is DAYS else stored.read(statement)


def summing_rows(transaction: Transaction, statement: Any) -> Iterable[Row[Any]]:
    """Yield the rows that sum anything up; a sum over nothing is one row of nulls."""
    return (row for row in transaction.execute(statement).all() if row.requests)
