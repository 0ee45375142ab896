"""Tables of daily sums of usage by two names at once, such as a model and an account.

They are made from the events of days that have ended, and have no key: a day is replaced as a whole. A sum of 0 is
NULL, which takes no place in a row of PostgreSQL, and the histogram of latencies is one text, because most pairs have
few requests a day. The columns stand in the order of their sizes; see `extension.store.schema.usage_tables`.
"""

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, SmallInteger, Table, Text

from extension.store.schema.tables import METADATA
from extension.usage.tokens import BUCKETS

_LARGE: Final = (*BUCKETS, "total", "pico_usd")
_SMALL: Final = ("failed", "unclassified", "inconsistent", "priced", "incomplete")
PAIR_NUMBERS: Final = (*_LARGE, *_SMALL)
"""Sums beside the number of requests."""

USAGE_DAY_PAIRS = Table(
    "usage_day_pairs",
    METADATA,
    *(Column(name, BigInteger) for name in _LARGE),
    Column("pool_id", Integer, ForeignKey("pools.id"), nullable=False),
    *(Column(name, Integer, nullable=False) for name in ("first_id", "second_id", "day", "requests")),
    *(Column(name, Integer) for name in _SMALL),
    Column("pair", SmallInteger, nullable=False),
    Column("latencies", Text, nullable=False),  # "bucket requests,bucket requests"
    Index("ix_usage_day_pairs_first", "pool_id", "pair", "first_id", "day"),
    Index("ix_usage_day_pairs_second", "pool_id", "pair", "second_id", "day"),
)

USAGE_PAIRED_DAYS = Table(
    "usage_paired_days",
    METADATA,
    Column("pool_id", Integer, ForeignKey("pools.id"), primary_key=True, autoincrement=False),
    Column("pair", SmallInteger, primary_key=True, autoincrement=False),
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("stamp", BigInteger, nullable=False),  # that of the day when its pairs were made; another one voids them
    Column("rows", Integer),  # NULL where the events are to be read
    sqlite_with_rowid=False,
)
