"""The first schema: all tables. Revisions below this one belong to versions that were never released.

A new database is made from the tables and stamped with the newest revision, so Alembic runs this one never: later
revisions begin from here.
"""

revision = "0025"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Leave the database as it is."""


def downgrade() -> None:
    """Leave the database as it is."""
