"""Position of the notifications in the event log, cron expressions of schedules, and the size of stored runs."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    op.add_column("pools", sa.Column("notified_seq", sa.BigInteger(), nullable=True))
    op.add_column("runs", sa.Column("stored_bytes", sa.BigInteger(), nullable=True))
    for name in ("cron", "time_zone"):
        op.add_column("schedules", sa.Column(name, sa.Text(), nullable=False, server_default=sa.text("''")))


def downgrade() -> None:
    """Drop the columns."""
    for name in ("time_zone", "cron"):
        op.drop_column("schedules", name)
    op.drop_column("runs", "stored_bytes")
    op.drop_column("pools", "notified_seq")
