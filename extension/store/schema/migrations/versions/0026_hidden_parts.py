"""Parts of a request that its record does not show, and web searches.

Events from before may hide every part: their records are gone. Their stored costs stay until they are rated again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; both databases do it without writing the rows again."""
    op.add_column("usage_events", sa.Column("hidden", sa.SmallInteger(), nullable=False, server_default=sa.text("127")))
    op.add_column("usage_events", sa.Column("searches", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Remove the columns."""
    op.drop_column("usage_events", "hidden")
    op.drop_column("usage_events", "searches")
