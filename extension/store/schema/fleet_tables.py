"""Table of a fleet: the gateways that its processes work on, each with one pool."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from extension.store.schema.tables import METADATA

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
