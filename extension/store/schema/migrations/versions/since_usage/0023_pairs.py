"""Daily sums of usage by two names at once, which the service makes from the events of days that have ended."""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

_TOKENS: Final = (
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
    "total",
)
_COUNTS: Final = ("failed", "unclassified", "inconsistent", "priced", "incomplete")
_POOL: Final = (["pool_id"], ["pools.id"])


def upgrade() -> None:
    """Make the tables, empty: the service fills them from the events."""
    op.create_table(
        "usage_day_pairs",
        *(sa.Column(name, sa.BigInteger(), nullable=True) for name in (*_TOKENS, "pico_usd")),
        *(
            sa.Column(name, sa.Integer(), nullable=False)
            for name in ("pool_id", "first_id", "second_id", "day", "requests")
        ),
        *(sa.Column(name, sa.Integer(), nullable=True) for name in _COUNTS),
        sa.Column("pair", sa.SmallInteger(), nullable=False),
        sa.Column("latencies", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(*_POOL, name="fk_usage_day_pairs_pool_id_pools"),
    )
    for name in ("first", "second"):
        op.create_index(f"ix_usage_day_pairs_{name}", "usage_day_pairs", ["pool_id", "pair", f"{name}_id", "day"])
    op.create_table(
        "usage_paired_days",
        sa.Column("pool_id", sa.Integer(), nullable=False),
        sa.Column("pair", sa.SmallInteger(), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("stamp", sa.BigInteger(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("pool_id", "pair", "day", name="pk_usage_paired_days"),
        sa.ForeignKeyConstraint(*_POOL, name="fk_usage_paired_days_pool_id_pools"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("usage_paired_days")
    for name in ("second", "first"):
        op.drop_index(f"ix_usage_day_pairs_{name}", "usage_day_pairs")
    op.drop_table("usage_day_pairs")
