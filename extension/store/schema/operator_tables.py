"""Tables of access to a fleet: operators, hashes of their tokens, and the audit of changes."""

from sqlalchemy import JSON, BigInteger, Column, ForeignKey, Index, Integer, String, Table, Text

from extension.store.schema.dialects import SEQUENCE
from extension.store.schema.tables import METADATA

OPERATORS = Table(
    "operators",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", String(100), nullable=False, unique=True),
    Column("role", String(32), nullable=False),
    Column("labels", JSON, nullable=False),  # those that a gateway must have; empty: every gateway
    Column("added_by", Text, nullable=False),
    Column("added_at", BigInteger, nullable=False),
    sqlite_autoincrement=True,
)

OPERATOR_TOKENS = Table(
    "operator_tokens",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("operator_id", Integer, ForeignKey("operators.id"), nullable=False),
    Column("digest", String(64), nullable=False, unique=True),  # SHA-256; the token itself is stored nowhere
    Column("note", Text, nullable=False),
    Column("added_by", Text, nullable=False),
    Column("added_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Index("ix_operator_tokens_operator_id", "operator_id"),
    sqlite_autoincrement=True,
)

AUDIT = Table(
    "audit",
    METADATA,
    Column("id", SEQUENCE, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("operator", Text, nullable=False),
    Column("credential", String(64), nullable=False),
    Column("address", String(64), nullable=False),
    Column("pool", String(200), nullable=False),
    Column("method", String(16), nullable=False),
    Column("path", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("outcome", String(32), nullable=False),
    Column("status", Integer, nullable=True),
    Column("code", String(64), nullable=False),
    Column("ended_at", BigInteger, nullable=True),
    Index("ix_audit_operator_id", "operator", "id"),
    Index("ix_audit_pool_id", "pool", "id"),
    sqlite_autoincrement=True,
)
