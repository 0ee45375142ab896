"""Position of the notifications in the event log."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    op.add_column("pools", sa.Column("notified_seq", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    """Drop the columns."""
    op.drop_column("pools", "notified_seq")
