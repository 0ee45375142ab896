"""Tables of a fleet: the gateways that its processes work on, each with one pool, and what is known across them."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from extension.store.schema.dialects import SEQUENCE
from extension.store.schema.tables import METADATA, pool_column

GATEWAYS = Table(
    "gateways",
    METADATA,
    Column("pool_id", Integer, ForeignKey("pools.id"), primary_key=True, autoincrement=False),
    Column("name", String(64), nullable=False),
    Column("url", String(500), nullable=False),
    Column("key_sealed", LargeBinary, nullable=True),  # opens with fleet.key, for this pool and URL alone
    Column("key_ref", Text, nullable=False),
    Column("ca", Text, nullable=False),
    Column("labels", JSON, nullable=False),
    Column("egress", String(64), nullable=False),
    Column("enabled", Boolean, nullable=False),
    Column("state", String(32), nullable=False),
    Column("refused_mark", String(64), nullable=False),  # keyed hash of the key that the gateway has refused
    Column("release", String(64), nullable=False),
    Column("capabilities", JSON, nullable=False),
    Column("seen_at", BigInteger, nullable=True),
    Column("added_by", Text, nullable=False),
    Column("added_at", BigInteger, nullable=False),
    Column("revision", Integer, nullable=False),  # counts the changes that need another connection
    UniqueConstraint("name"),
    UniqueConstraint("url"),
)

POOL_FIGURES = Table(
    "pool_figures",
    METADATA,
    Column("pool_id", Integer, ForeignKey("pools.id"), primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("accounts", Integer, nullable=False),
    Column("enabled", Integer, nullable=False),
    Column("verdicts", JSON, nullable=False),  # counts of the last checks, of those with one
    Column("on_hold", Integer, nullable=False),
)

FLEET_RUNS = Table(
    "fleet_runs",
    METADATA,
    Column("id", SEQUENCE, primary_key=True),
    Column("started_by", Text, nullable=False),
    Column("started_at", BigInteger, nullable=False),
    Column("labels", JSON, nullable=False),  # those that chose the gateways
    Column("settings", JSON, nullable=False),
    sqlite_autoincrement=True,
)

HOST_PULSES = Table(
    "host_pulses",
    METADATA,
    pool_column(),
    Column("host", String(300), nullable=False),
    Column("minute", BigInteger, nullable=False),  # of the epoch
    Column("verdict", String(32), nullable=False),  # empty: served
    Column("checks", Integer, nullable=False),
    Index("uq_host_pulses", "host", "minute", "verdict", "pool_id", unique=True),
)

HOST_ALERTS = Table(
    "host_alerts",
    METADATA,
    Column("host", String(300), primary_key=True),
    Column("code", String(32), primary_key=True),
    Column("pool_id", Integer, ForeignKey("pools.id"), nullable=False),  # the one whose message names the host
    Column("at", BigInteger, nullable=False),
)
