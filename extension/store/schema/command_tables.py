"""Tables between processes: commands for the owner of a gateway, and the workers there are."""

from sqlalchemy import JSON, BigInteger, Column, Index, Integer, String, Table, Text

from extension.store.schema.dialects import SEQUENCE
from extension.store.schema.tables import METADATA, pool_column

COMMANDS = Table(
    "commands",
    METADATA,
    Column("id", SEQUENCE, primary_key=True),
    pool_column(),
    Column("kind", String(32), nullable=False),
    Column("actor", Text, nullable=False),
    Column("arguments", JSON, nullable=False),
    Column("state", String(32), nullable=False),
    Column("answer", JSON, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("ended_at", BigInteger, nullable=True),
    Column("fleet_run_id", BigInteger, nullable=True),  # fleet run that it starts a part of
    Index("ix_commands_fleet_run_id", "fleet_run_id"),
    Index("ix_commands_pool_id_state", "pool_id", "state"),
    sqlite_autoincrement=True,
)

WORKERS = Table(
    "workers",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("name", Text, nullable=False),
    Column("version", String(64), nullable=False),
    Column("slots", Integer, nullable=False),
    Column("visits", JSON, nullable=False),  # numbers of the gateways it works on
    Column("capacity", BigInteger, nullable=False),  # accounts that its memory holds
    Column("started_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
)
