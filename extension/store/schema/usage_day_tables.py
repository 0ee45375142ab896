"""Tables of daily sums of usage; see `extension.store.schema.usage_tables` for the hourly ones.

They are made from the hours of days that have ended. A day of latencies lies beside the other days of its name, because
latencies are read of few names.
"""

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, SmallInteger, Table, text

from extension.store.schema.tables import METADATA
from extension.store.schema.usage_tables import USAGE_COSTS, USAGE_HOURS, USAGE_LATENCIES


def _pool() -> Column[int]:
    return Column("pool_id", Integer, ForeignKey("pools.id"), primary_key=True, autoincrement=False)


def _key(name: str, kind: type[Integer] = Integer) -> Column[int]:
    return Column(name, kind, primary_key=True, autoincrement=False)


def _numbers(hourly: Table) -> tuple[Column[int], ...]:
    return tuple(Column(column.name, BigInteger, nullable=False) for column in hourly.c if not column.primary_key)


USAGE_DAYS = Table(
    "usage_days",
    METADATA,
    _pool(),
    _key("dimension", SmallInteger),
    _key("day"),
    _key("name_id"),
    *_numbers(USAGE_HOURS),
    sqlite_with_rowid=False,
)

USAGE_DAY_LATENCIES = Table(
    "usage_day_latencies",
    METADATA,
    _pool(),
    _key("dimension", SmallInteger),
    _key("name_id"),
    _key("day"),
    _key("bucket", SmallInteger),
    *_numbers(USAGE_LATENCIES),
    sqlite_with_rowid=False,
)

USAGE_DAY_COSTS = Table(
    "usage_day_costs",
    METADATA,
    _pool(),
    _key("dimension", SmallInteger),
    _key("day"),
    _key("name_id"),
    _key("price_version"),
    *_numbers(USAGE_COSTS),
    sqlite_with_rowid=False,
)

USAGE_SUMMED_DAYS = Table(
    "usage_summed_days",
    METADATA,
    _pool(),
    _key("day"),
    Column("stamp", BigInteger, nullable=False, server_default=text("0")),
    sqlite_with_rowid=False,
)
