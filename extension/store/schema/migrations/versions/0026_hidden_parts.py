"""Parts of a request that its record does not show, web searches, and counts within the key of hours.

Events from before may hide every part: their records are gone. Their stored costs stay until they are rated again.
PostgreSQL's key of hourly sums gets the counts that rankings sum up.
"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns, which both databases do without writing the rows again, and make the key anew."""
    op.add_column("usage_events", sa.Column("hidden", sa.SmallInteger(), nullable=False, server_default=sa.text("511")))
    op.add_column("usage_events", sa.Column("searches", sa.Integer(), nullable=True))
    _make_key("INCLUDE (requests, failed)")


def downgrade() -> None:
    """Remove the columns."""
    _make_key()
    op.drop_column("usage_events", "hidden")
    op.drop_column("usage_events", "searches")


def _make_key(included: str = "") -> None:
    if op.get_bind().dialect.name == "postgresql":
        key = f"PRIMARY KEY (pool_id, dimension, hour, name_id) {included}"
        op.execute(f"ALTER TABLE usage_hours DROP CONSTRAINT pk_usage_hours, ADD CONSTRAINT pk_usage_hours {key}")
