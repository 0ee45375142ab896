"""Position of the notifications in the event log, and cron expressions of schedules."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    op.add_column("pools", sa.Column("notified_seq", sa.BigInteger(), nullable=True))
    for name in ("cron", "time_zone"):
        op.add_column("schedules", sa.Column(name, sa.Text(), nullable=False, server_default=sa.text("''")))


def downgrade() -> None:
    """Drop the columns."""
    for name in ("time_zone", "cron"):
        op.drop_column("schedules", name)
    op.drop_column("pools", "notified_seq")
