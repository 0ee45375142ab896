"""Reasons of schedules that could not start as codes with parameters; a stored sentence stays until the next start.

A sentence of an earlier version is replaced as soon as its schedule comes due again, so none is turned into a code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("schedules", sa.Column("problems", sa.JSON(), nullable=False, server_default=sa.text("'[]'")))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("schedules", "problems")
