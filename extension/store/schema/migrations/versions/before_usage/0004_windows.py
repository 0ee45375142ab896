"""Windows of quotas: the reported use of each, and when a stopped account is usable again."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; nothing of the kind is known of the results that exist."""
    op.add_column("results", sa.Column("windows", sa.JSON(), nullable=False, server_default=sa.text("'[]'")))
    op.add_column("results", sa.Column("resets_at", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    """Take it all back."""
    op.drop_column("results", "resets_at")
    op.drop_column("results", "windows")
