"""Tables of usage: events of integers alone, their names, hourly sums, and the collector's own state.

An event with its indexes takes less than 200 bytes on SQLite and less than 300 on PostgreSQL. There a number is aligned
to its own size, so the columns stand in the order of their sizes, and a bucket that is nearly always 0 is NULL then,
which takes a bit. SQLite stores a number in as many bytes as it needs, whatever its type. A row of hourly sums holds
one hour of one name of one dimension, so it serves queries that filter by that name or by nothing; others read events.
A row for each combination of names would be about one for each event.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from extension.store.schema.dialects import POSTGRESQL, SEQUENCE, RareCount
from extension.store.schema.tables import METADATA, pool_column
from extension.usage.event import BUCKETS
from extension.usage.record_form import EVERY_PART

RARE_BUCKETS: Final = ("cache_write_5m", "cache_write_1h", "audio_in", "audio_out", "image_in", "image_out")
"""Buckets of tokens that are 0 in nearly every request."""


def _key(name: str, kind: type[Integer] = Integer) -> Column[int]:
    return Column(name, kind, primary_key=True, autoincrement=False)


def _number(name: str, kind: type[Integer] = BigInteger, *, nullable: bool = False) -> Column[int]:
    return Column(name, kind, nullable=nullable)


def _pool_key() -> Column[int]:
    return Column("pool_id", Integer, ForeignKey("pools.id"), primary_key=True, autoincrement=False)


USAGE_NAMES = Table(
    "usage_names",
    METADATA,
    Column("id", Integer, primary_key=True),
    _number("kind", SmallInteger),
    Column("text", String(250), nullable=False),
    UniqueConstraint("kind", "text"),
)

USAGE_EVENTS = Table(
    "usage_events",
    METADATA,
    Column("seq", SEQUENCE, primary_key=True),
    *(_number(name) for name in ("at", "request_id", "digest")),
    _number("pico_usd", nullable=True),
    pool_column(),
    *(
        _number(name, Integer)
        for name in ("account_id", "client_id", "model_id", "alias_id", "provider_id", "endpoint_id", "tier_id")
    ),
    *(_number(name, Integer) for name in ("failure_id", "latency_ms", "ttft_ms")),
    _number("price_version", Integer, nullable=True),
    *(_number(name, Integer) for name in (*BUCKETS, "total") if name not in RARE_BUCKETS),
    *(Column(name, RareCount) for name in RARE_BUCKETS),
    *(_number(name, SmallInteger) for name in ("status", "quality")),
    Column("partial", SmallInteger, nullable=False, server_default=text("0")),
    Column("hidden", SmallInteger, nullable=False, server_default=text(str(EVERY_PART.value))),
    Column("searches", RareCount),
    Index("ix_usage_events_at", "at"),
    Index("ix_usage_events_account_id_at", "account_id", "at"),
    Index("ix_usage_events_client_id_at", "client_id", "at"),
    Index("ix_usage_events_model_id_at", "model_id", "at"),
    Index(
        "ix_usage_events_failed_at",
        "at",
        sqlite_where=text("failure_id <> 0"),
        postgresql_where=text("failure_id <> 0"),
    ),
    sqlite_autoincrement=True,
)

HOUR_NUMBERS: Final = (
    *("requests", "failed", "unclassified", "inconsistent"),
    *(*BUCKETS, "total"),
    *("pico_usd", "priced", "incomplete"),
)
"""Sums of an hour, in the order of their columns. `priced` requests have a cost, a lower bound if `incomplete`."""

USAGE_HOURS = Table(
    "usage_hours",
    METADATA,
    *(_pool_key(), _key("dimension", SmallInteger), _key("hour"), _key("name_id")),
    *(_number(name) for name in HOUR_NUMBERS),
    # With the counts that rankings sum up: PostgreSQL reads them from the index, a tenth of the rows' size.
    PrimaryKeyConstraint("pool_id", "dimension", "hour", "name_id", postgresql_include=["requests", "failed"]),
    # Hours of a few names: without it PostgreSQL reads the whole table for the eight accounts of a chart.
    Index("ix_usage_hours_of_name", "pool_id", "dimension", "name_id", "hour").ddl_if(dialect=POSTGRESQL),
    sqlite_with_rowid=False,
)

USAGE_LATENCIES = Table(
    "usage_latencies",
    METADATA,
    _pool_key(),
    # The name first: latencies are read of few names, over many hours.
    *(_key("dimension", SmallInteger), _key("name_id"), _key("hour")),
    _key("bucket", SmallInteger),
    _number("requests"),
    sqlite_with_rowid=False,
)

USAGE_PRICE_VERSIONS = Table(
    "usage_price_versions",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("version", String(16), nullable=False),
    Column("terms", Text, nullable=False),  # the price as JSON, which explains every cost computed with it
    UniqueConstraint("version"),
)

USAGE_RERATINGS = Table(
    "usage_reratings",
    METADATA,
    _pool_key(),
    *(_number(name) for name in ("start_at", "end_at", "position_at", "position_seq", "examined", "changed")),
    Column("sums", Text, nullable=False),
    Column("actor", Text, nullable=False),
    _number("started_at"),
    _number("finished_at", nullable=True),
)

USAGE_GAPS = Table(
    "usage_gaps",
    METADATA,
    Column("id", Integer, primary_key=True),
    pool_column(),
    _number("start_at"),
    _number("end_at"),
    Column("kind", String(32), nullable=False),
    _number("missing", nullable=True),
    Index("ix_usage_gaps_pool_id_end_at", "pool_id", "end_at"),
    sqlite_autoincrement=True,
)

USAGE_DEAD_LETTERS = Table(
    "usage_dead_letters",
    METADATA,
    Column("id", Integer, primary_key=True),
    pool_column(),
    _number("at"),
    Column("reason", String(32), nullable=False),
    Column("field", String(64), nullable=False),
    Column("text", Text, nullable=False),
    sqlite_autoincrement=True,
)

USAGE_COLLECTORS = Table(
    "usage_collectors",
    METADATA,
    _pool_key(),
    Column("owner", String(64), nullable=False),
    _number("epoch"),
    _number("expires_at"),
    _number("covered_until"),
    Column("clean", Boolean, nullable=False),
    Column("source", String(32), nullable=False),
    _number("pruned_before"),
)
