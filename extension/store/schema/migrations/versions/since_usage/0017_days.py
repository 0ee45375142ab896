"""Daily sums of usage, which the service makes from the hours of days that have ended."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_SMALL = {"dimension", "bucket"}
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
_COUNTS = ("requests", "failed", "unclassified", "inconsistent", *_BUCKETS, "total")
_TABLES: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("usage_days", ("pool_id", "dimension", "day", "name_id"), _COUNTS),
    ("usage_day_latencies", ("pool_id", "dimension", "name_id", "day", "bucket"), ("requests",)),
    (
        "usage_day_costs",
        ("pool_id", "dimension", "day", "name_id", "price_version"),
        ("pico_usd", "requests", "incomplete"),
    ),
    ("usage_summed_days", ("pool_id", "day"), ()),
)


def upgrade() -> None:
    """Make the tables, empty: the service fills them from the hours."""
    for table, keys, numbers in _TABLES:
        op.create_table(
            table,
            *(_column(name, sa.SmallInteger() if name in _SMALL else sa.Integer()) for name in keys),
            *(_column(name, sa.BigInteger()) for name in numbers),
            sa.PrimaryKeyConstraint(*keys, name=f"pk_{table}"),
            sa.ForeignKeyConstraint(["pool_id"], ["pools.id"], name=f"fk_{table}_pool_id_pools"),
            sqlite_with_rowid=False,
        )


def _column(name: str, kind: Any) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False)


def downgrade() -> None:
    """Drop the tables."""
    for table, _, _ in reversed(_TABLES):
        op.drop_table(table)
