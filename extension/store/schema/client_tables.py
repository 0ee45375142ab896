"""Tables of the gateway's clients: what was done with their keys, and budgets of their spend."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from extension.store.schema.tables import METADATA, pool_column

KEY_ACTIONS = Table(
    "client_key_actions",
    METADATA,
    Column("id", Integer, primary_key=True),
    pool_column(),
    Column("fingerprint", String(64), nullable=False),  # keyed hash
    Column("hint", String(32), nullable=False),
    *(Column(name, String(32), nullable=False) for name in ("action", "outcome", "actor_kind")),
    *(Column(name, Text, nullable=False) for name in ("actor", "reason", "text")),
    *(Column(name, JSON, nullable=False) for name in ("reasons", "texts")),
    Column("position", Integer, nullable=False),
    Column("document", BigInteger, nullable=True),  # sealed copy of the key
    Column("undoes", Integer, nullable=True),
    Column("at", BigInteger, nullable=False),
    Column("settled_at", BigInteger, nullable=True),
    Index("ix_client_key_actions_pool_id_id", "pool_id", "id"),
    sqlite_autoincrement=True,
)

BUDGETS = Table(
    "budgets",
    METADATA,
    Column("id", Integer, primary_key=True),
    pool_column(),
    Column("scope", String(32), nullable=False),
    Column("subject", String(64), nullable=False),  # fingerprint, number of an account, or empty
    Column("period", String(32), nullable=False),
    Column("pico_usd", BigInteger, nullable=False),
    Column("revokes", Boolean, nullable=False),
    Column("reported_percent", Integer, nullable=False),
    Column("reported_period", BigInteger, nullable=False),  # beginning of the period that it was reported in
    Column("set_by", Text, nullable=False),
    Column("set_at", BigInteger, nullable=False),
    UniqueConstraint("pool_id", "scope", "subject", "period"),
    sqlite_autoincrement=True,
)
