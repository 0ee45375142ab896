"""Numbers of results and actions count up for ever on SQLite, also when the newest rows were deleted.

The tables were declared so, but 0014 copied them, and a copy by Alembic loses the property unless it is named. A number
that is given again makes a reader that remembers it miss the row. PostgreSQL never gave one again.
"""

from alembic import op

from extension.store.schema.dialects import POSTGRESQL

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_TABLES = ("results", "actions")


def upgrade() -> None:
    """Copy the tables into ones that count up."""
    _copy(ascending=True)


def downgrade() -> None:
    """Copy them back."""
    _copy(ascending=False)


def _copy(*, ascending: bool) -> None:
    if op.get_bind().dialect.name == POSTGRESQL:
        return
    for table in _TABLES:
        with op.batch_alter_table(table, recreate="always", table_kwargs={"sqlite_autoincrement": ascending}):
            pass
