"""Key hint and place of an account, of each result and of each action."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_TABLES = ("accounts", "results", "actions")


def upgrade() -> None:
    """Add the columns; accounts are filled at the next reading of the pool, results and actions stay without."""
    for table in _TABLES:
        for name in ("key_hint", "place"):
            op.add_column(table, sa.Column(name, sa.Text(), nullable=False, server_default=sa.text("''")))


def downgrade() -> None:
    """Drop the columns."""
    for table in _TABLES:
        for name in ("place", "key_hint"):
            op.drop_column(table, name)
