"""Archives of an installation whose database is PostgreSQL's.

Theory of operation: every table is copied within one read transaction that sees one state of the database, so the
archive is consistent while services write. A restore makes the schema and copies the rows in
one transaction: it is there as a whole, or not at all. Tables that were there are kept in a schema of their own.
"""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psycopg
from psycopg import sql
from sqlalchemy import Connection, Engine, inspect
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from extension.store import leases
from extension.store.archive import container
from extension.store.data_folder import DataFolder
from extension.store.database.postgresql import PostgreSQLStorage
from extension.store.database.write_lock import allow_rest
from extension.store.errors import ArchiveRefused
from extension.store.schema.tables import LEASES
from extension.store.schema.upgrade import ALL_TABLES, VERSION_TABLE, newest_revision, stored_revision, upgrade_to_head

_LITTLE: Final = 1 << 16
_SEQUENCE: Final = "SELECT pg_get_serial_sequence(%s, %s)"


def write_server_archive(storage: PostgreSQLStorage, folder: Path, target: Path, now: int) -> container.Archive:
    """Write an archive of a database and of the keys in a data folder; see `extension.store.archive.archives`."""
    container.require_new(folder, target)
    storage.prepare(now)
    with (
        container.file_errors(target, "cannot be written"),
        tempfile.TemporaryDirectory(dir=target.absolute().parent, prefix=".poolkeeper-backup-") as work,
    ):
        with _transaction(storage, storage.reading_engine()) as transaction:
            if stored_revision(transaction) is None:
                raise ArchiveRefused("The database holds nothing of Poolkeeper. Check POOLKEEPER_DATABASE_URL.")
            rows = {
                container.rows_member(table): _copied(transaction, table, Path(work)) for table in _tables(transaction)
            }
        files = {name: folder / name for name in container.FILES if (folder / name).is_file()}
        return container.pack(target, {**rows, **files}, now)


def restore_server_archive(
    source: Path, storage: PostgreSQLStorage, path: Path, *, replace: bool, now: int
) -> container.Archive:
    """Put an archive into a database, and its keys into a data folder; see `extension.store.archive.archives`."""
    if container.DATABASE in container.contents(source).members:
        raise ArchiveRefused("The backup is of an SQLite database. Restore it without POOLKEEPER_DATABASE_URL.")
    storage.prepare(now)
    with (
        _transaction(storage, storage.migrating_engine()) as transaction,
        DataFolder.open(path, restoring=True) as folder,
        container.file_errors(source, "cannot be restored"),
        tempfile.TemporaryDirectory(dir=path, prefix=".restore-") as work,
    ):
        _make_room(transaction, now, replace=replace)
        archive = container.unpack(source, Path(work))
        upgrade_to_head(transaction)
        for table in (table for table in _tables(transaction) if table in archive.tables):
            _fill(transaction, table, Path(work) / container.rows_member(table))
            if table == VERSION_TABLE and stored_revision(transaction) != newest_revision():
                raise ArchiveRefused(
                    "The backup was written by another version of Poolkeeper. Restore it with that one."
                )
        with folder.changing():
            for name in (name for name in container.FILES if name in archive.members):
                if (path / name).exists():
                    (path / name).rename(path / f"{name}.before-restore-{now}")
                folder.take(Path(work) / name)
            transaction.commit()
    return archive


@contextmanager
def _transaction(storage: PostgreSQLStorage, engine: Engine) -> Iterator[Connection]:
    try:
        with engine.connect() as connection:
            connection.begin()
            allow_rest(connection)
            yield connection
    except SQLAlchemyError as error:
        raise storage.trouble(error) from error
    except psycopg.Error as error:
        raise storage.trouble(DBAPIError("", None, error)) from error
    finally:
        engine.dispose()


def _tables(transaction: Connection) -> list[str]:
    """Return our tables, those that others refer to first; other programs may have tables in the same database."""
    names = set(inspect(transaction).get_table_names())
    return [table for table in (VERSION_TABLE, *ALL_TABLES) if table in names]


def _copied(transaction: Connection, table: str, work: Path) -> Path:
    """Write the names of the columns of a table and then its rows, in PostgreSQL's own text format."""
    columns = [column["name"] for column in inspect(transaction).get_columns(table)]
    statement = sql.SQL("COPY {} ({}) TO STDOUT").format(sql.Identifier(table), _names(columns))
    target = work / container.rows_member(table)
    with target.open("xb") as file, _cursor(transaction).copy(statement) as rows:
        file.write(json.dumps(columns).encode() + b"\n")
        for chunk in rows:
            file.write(chunk)
    return target


def _fill(transaction: Connection, table: str, source: Path) -> None:
    _cursor(transaction).execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))
    with source.open("rb") as file:
        columns = [str(name) for name in json.loads(file.readline())]
        statement = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), _names(columns))
        with _cursor(transaction).copy(statement) as rows:
            while chunk := file.read(_LITTLE):
                rows.write(chunk)
    for column in columns:
        (sequence,) = _cursor(transaction).execute(_SEQUENCE, (table, column)).fetchone() or (None,)
        if sequence is not None:
            # The next number follows the greatest one that is there; the sequence of an empty table stays new.
            follow = sql.SQL("SELECT setval(%s::regclass, max({})) FROM {}")
            _cursor(transaction).execute(follow.format(sql.Identifier(column), sql.Identifier(table)), (sequence,))


def _make_room(transaction: Connection, now: int, *, replace: bool) -> None:
    """Move the tables that are there into a schema of their own, or raise `ArchiveRefused`."""
    if stored_revision(transaction) is None:
        return
    if not replace:
        raise ArchiveRefused("The database is in use already. Repeat with --replace; it will be kept beside.")
    if LEASES.name in _tables(transaction) and leases.is_held(transaction):
        raise ArchiveRefused("A service works with the database. Stop all of them first.")
    schema = sql.Identifier(f"before_restore_{now}")
    cursor = _cursor(transaction)
    cursor.execute(sql.SQL("CREATE SCHEMA {}").format(schema))
    for table in _tables(transaction):
        cursor.execute(sql.SQL("ALTER TABLE {} SET SCHEMA {}").format(sql.Identifier(table), schema))


def _names(columns: list[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, columns))


def _cursor(transaction: Connection) -> "psycopg.Cursor[tuple[object, ...]]":
    raw: psycopg.Connection[tuple[object, ...]] = transaction.connection.driver_connection  # type: ignore[assignment] # our driver's
    return raw.cursor()
