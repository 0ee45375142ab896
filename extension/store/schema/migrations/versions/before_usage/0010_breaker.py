"""Route of a result, reasons of actions on hold as codes, and the pause of all automation."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    op.add_column("results", sa.Column("route", sa.String(length=64), nullable=False, server_default=sa.text("''")))
    op.add_column("held", sa.Column("code", sa.String(length=32), nullable=False, server_default=sa.text("''")))
    op.add_column("held", sa.Column("params", sa.JSON(), nullable=False, server_default=sa.text("'{}'")))
    op.add_column("pools", sa.Column("automation_paused_at", sa.BigInteger(), nullable=True))
    paused_by = sa.Column("automation_paused_by", sa.Text(), nullable=False, server_default=sa.text("''"))
    op.add_column("pools", paused_by)


def downgrade() -> None:
    """Drop the columns."""
    op.drop_column("pools", "automation_paused_by")
    op.drop_column("pools", "automation_paused_at")
    op.drop_column("held", "params")
    op.drop_column("held", "code")
    op.drop_column("results", "route")
