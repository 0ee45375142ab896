"""Reasons of runs and batches as codes; rows stored before keep their text."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

_TABLES = ("runs", "batches")


def upgrade() -> None:
    """Add the columns."""
    for table in _TABLES:
        with op.batch_alter_table(table) as columns:
            columns.add_column(sa.Column("reasons", sa.JSON(), nullable=False, server_default=sa.text("'[]'")))


def downgrade() -> None:
    """Drop the columns."""
    for table in reversed(_TABLES):
        with op.batch_alter_table(table) as columns:
            columns.drop_column("reasons")
