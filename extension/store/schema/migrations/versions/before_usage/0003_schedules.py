"""Schedules: inspections that are started by the clock, and which run came from which of them."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table, and let runs name their schedule."""
    op.create_table(
        "schedules",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("pool_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("interval_minutes", sa.Integer(), nullable=False),
        sa.Column("jitter_minutes", sa.Integer(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=True),
        sa.Column("last_run", sa.Integer(), nullable=True),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("saved_by", sa.Text(), nullable=False),
        sa.Column("saved_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["pool_id"], ["pools.id"], name=op.f("fk_schedules_pool_id_pools")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_schedules")),
    )
    op.add_column("runs", sa.Column("schedule_id", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Take it all back."""
    op.drop_column("runs", "schedule_id")
    op.drop_table("schedules")
