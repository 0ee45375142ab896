"""Stamps of summed days: a day that is summed up anew is told from what it was before."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column. Days that are summed up already keep 0, which no later summing up gives."""
    stamp = sa.Column("stamp", sa.BigInteger(), nullable=False, server_default=sa.text("0"))
    op.add_column("usage_summed_days", stamp)


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("usage_summed_days", "stamp")
