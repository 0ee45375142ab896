"""Reasons of results and actions as codes, and the channel of a delivery; rows stored before keep their text."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_ADDED = (("results", "reasons"), ("actions", "reasons"), ("actions", "texts"))


def upgrade() -> None:
    """Add the columns."""
    for table, name in _ADDED:
        with op.batch_alter_table(table) as columns:
            columns.add_column(sa.Column(name, sa.JSON(), nullable=False, server_default=sa.text("'[]'")))
    with op.batch_alter_table("deliveries") as columns:
        columns.add_column(sa.Column("channel", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Drop the columns."""
    with op.batch_alter_table("deliveries") as columns:
        columns.drop_column("channel")
    for table, name in reversed(_ADDED):
        with op.batch_alter_table(table) as columns:
            columns.drop_column(name)
