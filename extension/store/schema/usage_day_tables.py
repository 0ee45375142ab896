"""Tables of daily sums of usage; see `extension.store.schema.usage_tables` for the hourly ones.

They are made from the hours of days that have ended. A day of latencies lies beside the other days of its name, because
latencies are read of few names.

Those of two names at once, such as a model and an account, are made from the events of the day. They have no key, since
a day is replaced as a whole. A sum of 0 is NULL there, which takes no place in a row of PostgreSQL, and the histogram
of latencies is one text, because most pairs have few requests a day. The columns stand in the order of their sizes.

The ends of a day are the parts between a midnight of UTC and one of a reader elsewhere: `minutes` are the first minutes
of the day, or its last ones where the number is below zero. They are summed up by the pairs that a chart asked for.
"""

from typing import Any, Final

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, SmallInteger, Table, Text, text

from extension.store.schema.tables import METADATA
from extension.store.schema.usage_tables import USAGE_COSTS, USAGE_HOURS, USAGE_LATENCIES
from extension.usage.tokens import BUCKETS


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

_LARGE: Final = (*BUCKETS, "total", "pico_usd")
_SMALL: Final = ("failed", "unclassified", "inconsistent", "priced", "incomplete")
PAIR_NUMBERS: Final = (*_LARGE, *_SMALL)
"""Sums beside the number of requests."""


def _sums_by_pair(*more: Column[int]) -> tuple[Column[Any], ...]:
    return (
        *(Column(name, BigInteger) for name in _LARGE),
        Column("pool_id", Integer, ForeignKey("pools.id"), nullable=False),
        *(Column(name, Integer, nullable=False) for name in ("first_id", "second_id", "day", "requests")),
        *(Column(name, Integer) for name in _SMALL),
        Column("pair", SmallInteger, nullable=False),
        *more,
        Column("latencies", Text, nullable=False),  # "bucket requests,bucket requests"
    )


USAGE_DAY_PAIRS = Table(
    "usage_day_pairs",
    METADATA,
    *_sums_by_pair(),
    Index("ix_usage_day_pairs_first", "pool_id", "pair", "first_id", "day"),
    Index("ix_usage_day_pairs_second", "pool_id", "pair", "second_id", "day"),
)

USAGE_PAIRED_DAYS = Table(
    "usage_paired_days",
    METADATA,
    _pool(),
    _key("pair", SmallInteger),
    _key("day"),
    Column("stamp", BigInteger, nullable=False),  # that of the day when its pairs were made; another one voids them
    Column("rows", Integer),  # NULL where the events are to be read
    sqlite_with_rowid=False,
)

USAGE_DAY_ENDS = Table(
    "usage_day_ends",
    METADATA,
    *_sums_by_pair(Column("minutes", SmallInteger, nullable=False)),
    Index("ix_usage_day_ends_first", "pool_id", "pair", "minutes", "first_id", "day"),
    Index("ix_usage_day_ends_second", "pool_id", "pair", "minutes", "second_id", "day"),
)

USAGE_SUMMED_ENDS = Table(
    "usage_summed_ends",
    METADATA,
    _pool(),
    _key("pair", SmallInteger),
    _key("minutes", SmallInteger),
    _key("day"),
    Column("stamp", BigInteger, nullable=False),  # that of the day when this end of it was summed up
    Column("rows", Integer),  # NULL where the events are to be read
    sqlite_with_rowid=False,
)

USAGE_WANTED_ENDS = Table(
    "usage_wanted_ends",
    METADATA,
    _pool(),
    _key("pair", SmallInteger),
    _key("minutes", SmallInteger),
    Column("wanted_at", BigInteger, nullable=False),  # when a chart asked for it last
    sqlite_with_rowid=False,
)
