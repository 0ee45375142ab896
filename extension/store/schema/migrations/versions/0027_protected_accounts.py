"""Accounts that automation checks and never changes."""

from alembic import op
from sqlalchemy import Boolean, Column, false

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the flag; no account has it."""
    op.add_column("accounts", Column("protected", Boolean, nullable=False, server_default=false()))


def downgrade() -> None:
    """Drop the flag."""
    op.drop_column("accounts", "protected")
