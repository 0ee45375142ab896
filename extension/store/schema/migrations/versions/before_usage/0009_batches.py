"""Batches of actions, and the host of an action on hold."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table of batches and add the columns that refer to it."""
    op.create_table(
        "batches",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("pool_id", sa.Integer(), sa.ForeignKey("pools.id"), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=True),
        sa.Column("cause", sa.String(32), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("actor_kind", sa.String(32), nullable=False),
        sa.Column("state", sa.String(32), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("planned", sa.JSON(), nullable=False),
        sa.Column("outcomes", sa.JSON(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_batches_pool_id_state", "batches", ["pool_id", "state"])
    op.create_index("ix_batches_run_id", "batches", ["run_id"])
    op.add_column("actions", sa.Column("batch_id", sa.Integer(), nullable=True))
    op.create_index("ix_actions_batch_id", "actions", ["batch_id"])
    op.add_column("held", sa.Column("host", sa.Text(), nullable=False, server_default=sa.text("''")))


def downgrade() -> None:
    """Drop the columns and the table."""
    op.drop_column("held", "host")
    op.drop_index("ix_actions_batch_id", "actions")
    op.drop_column("actions", "batch_id")
    op.drop_table("batches")
