"""Usage: events, their names, hourly rollups, gaps, dead letters, and the state of the collector."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from extension.store.schema.dialects import SEQUENCE

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_BUCKETS = (
    "input",
    "cache_read",
    "cache_write_5m",
    "cache_write_1h",
    "output",
    "reasoning",
    "audio_in",
    "audio_out",
    "image_in",
    "image_out",
)
_TABLES = (
    "usage_names",
    "usage_events",
    "usage_hours",
    "usage_latencies",
    "usage_costs",
    "usage_gaps",
    "usage_dead_letters",
    "usage_collectors",
)
_IDS = ("account_id", "client_id", "model_id", "alias_id", "provider_id", "endpoint_id", "tier_id", "failure_id")


def _number(name: str, kind: type[sa.Integer] = sa.BigInteger, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind(), nullable=nullable)


def _pool(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["pool_id"], ["pools.id"], name=f"fk_{table}_pool_id_pools")


def upgrade() -> None:
    """Make the tables."""
    _events()
    _rollups()
    _state()


def _events() -> None:
    op.create_table(
        "usage_names",
        sa.Column("id", sa.Integer(), nullable=False),
        _number("kind", sa.SmallInteger),
        sa.Column("text", sa.String(250), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_usage_names"),
        sa.UniqueConstraint("kind", "text", name="uq_usage_names_kind_text"),
    )
    op.create_table(
        "usage_events",
        sa.Column("seq", SEQUENCE, nullable=False),
        _number("pool_id", sa.Integer),
        _number("at"),
        *(_number(name, sa.Integer) for name in _IDS),
        _number("status", sa.SmallInteger),
        _number("latency_ms", sa.Integer),
        _number("ttft_ms", sa.Integer),
        _number("request_id"),
        _number("quality", sa.SmallInteger),
        *(_number(name) for name in (*_BUCKETS, "total")),
        _number("pico_usd", nullable=True),
        _number("price_version", sa.Integer, nullable=True),
        _number("digest"),
        sa.PrimaryKeyConstraint("seq", name="pk_usage_events"),
        _pool("usage_events"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_usage_events_at", "usage_events", ["at"])
    for name in ("account_id", "client_id", "model_id"):
        op.create_index(f"ix_usage_events_{name}_at", "usage_events", [name, "at"])


def _rollups() -> None:
    counts = ("requests", "failed", "unclassified", "inconsistent", *_BUCKETS, "total")
    for table, more, numbers in (
        ("usage_hours", (), counts),
        ("usage_latencies", ("bucket",), ("requests",)),
        ("usage_costs", ("price_version",), ("pico_usd", "requests")),
    ):
        small = {"dimension", "bucket"}
        keys = ("pool_id", "dimension", "hour", "name_id", *more)
        op.create_table(
            table,
            *(_number(name, sa.SmallInteger if name in small else sa.Integer) for name in keys),
            *(_number(name) for name in numbers),
            sa.PrimaryKeyConstraint(*keys, name=f"pk_{table}"),
            _pool(table),
            sqlite_with_rowid=False,
        )


def _state() -> None:
    op.create_table(
        "usage_gaps",
        sa.Column("id", sa.Integer(), nullable=False),
        _number("pool_id", sa.Integer),
        _number("start_at"),
        _number("end_at"),
        sa.Column("kind", sa.String(32), nullable=False),
        _number("missing", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_usage_gaps"),
        _pool("usage_gaps"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_usage_gaps_pool_id_end_at", "usage_gaps", ["pool_id", "end_at"])
    op.create_table(
        "usage_dead_letters",
        sa.Column("id", sa.Integer(), nullable=False),
        _number("pool_id", sa.Integer),
        _number("at"),
        sa.Column("reason", sa.String(32), nullable=False),
        sa.Column("field", sa.String(64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_usage_dead_letters"),
        _pool("usage_dead_letters"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "usage_collectors",
        _number("pool_id", sa.Integer),
        sa.Column("owner", sa.String(64), nullable=False),
        _number("epoch"),
        _number("expires_at"),
        _number("covered_until"),
        sa.Column("clean", sa.Boolean(), nullable=False),
        sa.Column("source", sa.String(32), nullable=False),
        _number("pruned_before"),
        sa.PrimaryKeyConstraint("pool_id", name="pk_usage_collectors"),
        _pool("usage_collectors"),
    )


def downgrade() -> None:
    """Drop the tables."""
    for table in reversed(_TABLES):
        op.drop_table(table)
