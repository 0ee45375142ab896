"""Schema of the job queue: one of PostgreSQL's own, made anew where it is of another version.

Jobs carry no data and may be lost, so an upgrade of the library drops them with their tables instead of migrating them.
"""

from typing import Final

from psycopg import sql

from extension.store.database.database import Transaction

SCHEMA: Final = "poolkeeper_queue"
OPTIONS: Final = f"-c search_path={SCHEMA} -c timezone=UTC"
"""Options of a connection that belongs to the queue alone."""
_MARK: Final = f"SELECT obj_description(to_regnamespace('{SCHEMA}'), 'pg_namespace')"


def ensure(transaction: Transaction, mark: str, statements: str) -> None:
    """Make the tables of the queue with these statements, unless they are there with the same mark."""
    if transaction.exec_driver_sql(_MARK).scalar() == mark:
        return
    cursor = transaction.connection.cursor()
    cursor.execute(sql.SQL("DROP SCHEMA IF EXISTS {0} CASCADE; CREATE SCHEMA {0}").format(sql.Identifier(SCHEMA)))
    cursor.execute(sql.SQL("SET LOCAL search_path TO {}").format(sql.Identifier(SCHEMA)))
    cursor.execute(statements)
    cursor.execute(sql.SQL("COMMENT ON SCHEMA {} IS {}").format(sql.Identifier(SCHEMA), sql.Literal(mark)))
    cursor.execute("RESET search_path")


def include(transaction: Transaction) -> None:
    """Let the rest of a transaction find the tables of the queue, after our own."""
    path = f"current_setting('search_path') || ', {SCHEMA}'"
    transaction.exec_driver_sql(f"SELECT set_config('search_path', {path}, true)")
