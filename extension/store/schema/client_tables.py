"""Tables of the gateway's clients: what was done with their keys, and budgets of their spend."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
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
    Column("undoes", Integer, ForeignKey("client_key_actions.id"), nullable=True),
    Column("at", BigInteger, nullable=False),
    Column("settled_at", BigInteger, nullable=True),
    Index("ix_client_key_actions_pool_id_id", "pool_id", "id"),
    sqlite_autoincrement=True,
)
