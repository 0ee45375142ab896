"""Costs of events: their price versions, the mark of a lower bound, the re-rating under way, failures by time."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

_FAILED = sa.text("failure_id <> 0")


def upgrade() -> None:
    """Add tables, columns and the index."""
    op.create_table(
        "usage_price_versions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("version", sa.String(16), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_usage_price_versions"),
        sa.UniqueConstraint("version", name="uq_usage_price_versions_version"),
    )
    op.create_table(
        "usage_reratings",
        sa.Column("pool_id", sa.Integer(), nullable=False),
        sa.Column("start_at", sa.BigInteger(), nullable=False),
        sa.Column("end_at", sa.BigInteger(), nullable=False),
        sa.Column("position_at", sa.BigInteger(), nullable=False),
        sa.Column("position_seq", sa.BigInteger(), nullable=False),
        sa.Column("examined", sa.BigInteger(), nullable=False),
        sa.Column("changed", sa.BigInteger(), nullable=False),
        sa.Column("sums", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("pool_id", name="pk_usage_reratings"),
        sa.ForeignKeyConstraint(["pool_id"], ["pools.id"], name="fk_usage_reratings_pool_id_pools"),
    )
    zero = sa.text("0")
    op.add_column("usage_events", sa.Column("partial", sa.SmallInteger(), nullable=False, server_default=zero))
    op.add_column("usage_costs", sa.Column("incomplete", sa.BigInteger(), nullable=False, server_default=zero))
    op.create_index("ix_usage_events_failed_at", "usage_events", ["at"], sqlite_where=_FAILED, postgresql_where=_FAILED)


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_usage_events_failed_at", "usage_events")
    op.drop_column("usage_costs", "incomplete")
    op.drop_column("usage_events", "partial")
    op.drop_table("usage_reratings")
    op.drop_table("usage_price_versions")
