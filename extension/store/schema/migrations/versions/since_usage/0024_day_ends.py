"""Sums of the ends of days, by two names at once, for readers whose days do not begin with those of UTC."""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
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
    """Make the tables, empty: the service fills them once a chart has asked for them."""
    op.create_table(
        "usage_day_ends",
        *(sa.Column(name, sa.BigInteger(), nullable=True) for name in (*_TOKENS, "pico_usd")),
        *(
            sa.Column(name, sa.Integer(), nullable=False)
            for name in ("pool_id", "first_id", "second_id", "day", "requests")
        ),
        *(sa.Column(name, sa.Integer(), nullable=True) for name in _COUNTS),
        *(sa.Column(name, sa.SmallInteger(), nullable=False) for name in ("pair", "minutes")),
        sa.Column("latencies", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(*_POOL, name="fk_usage_day_ends_pool_id_pools"),
    )
    for name in ("first", "second"):
        columns = ["pool_id", "pair", "minutes", f"{name}_id", "day"]
        op.create_index(f"ix_usage_day_ends_{name}", "usage_day_ends", columns)
    op.create_table(
        "usage_summed_ends",
        sa.Column("pool_id", sa.Integer(), nullable=False),
        sa.Column("pair", sa.SmallInteger(), nullable=False),
        sa.Column("minutes", sa.SmallInteger(), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("stamp", sa.BigInteger(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("pool_id", "pair", "minutes", "day", name="pk_usage_summed_ends"),
        sa.ForeignKeyConstraint(*_POOL, name="fk_usage_summed_ends_pool_id_pools"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "usage_wanted_ends",
        sa.Column("pool_id", sa.Integer(), nullable=False),
        sa.Column("pair", sa.SmallInteger(), nullable=False),
        sa.Column("minutes", sa.SmallInteger(), nullable=False),
        sa.Column("wanted_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("pool_id", "pair", "minutes", name="pk_usage_wanted_ends"),
        sa.ForeignKeyConstraint(*_POOL, name="fk_usage_wanted_ends_pool_id_pools"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("usage_wanted_ends")
    op.drop_table("usage_summed_ends")
    for name in ("second", "first"):
        op.drop_index(f"ix_usage_day_ends_{name}", "usage_day_ends")
    op.drop_table("usage_day_ends")
