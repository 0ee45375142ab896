"""SQLite: a file in the data folder, with one connection that writes and some that read beside it."""

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from extension.store.data_folder import DataFolder
from extension.store.database.backup import copy_before_upgrade
from extension.store.database.event_pools import EventPools
from extension.store.database.library_failure import library_cause
from extension.store.errors import DatabaseFull, DatabaseTrouble, DatabaseUnavailable, DataFolderUnusable

if TYPE_CHECKING:
    from extension.store.database.pulse import ServerPulse

READERS = 4
_BUSY_SECONDS = 5
_DAMAGED = ("malformed", "not a database")
_FULL = "disk is full"  # signs of a damaged file in the words of SQLite

# WAL lets readers go on while we write. FULL, because an intent to act must survive a power cut; group commit makes it
# cheap.
_PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")


@dataclass(frozen=True, slots=True)
class SQLiteStorage:
    """The database file of a data folder, which one service holds at a time."""

    folder: DataFolder
    shared: bool = False

    def prepare(self, now: int) -> None:
        """Make the file private, and copy it if a migration is about to change it."""
        self.folder.private_file(self.folder.database)
        copy_before_upgrade(self.folder, now)

    def migrating_engine(self) -> Engine:
        """Return an engine that checks no foreign key, because SQLite alters a table by making it anew."""
        return _engine(
            self.folder.database, connections=1, begin="BEGIN IMMEDIATE", pragmas=(*_PRAGMAS[:2], "foreign_keys=OFF")
        )

    def writing_engine(self) -> Engine:
        """Return an engine of one connection whose transactions begin with the write lock (`BEGIN IMMEDIATE`).

        Taking the lock first means that a transaction never fails half-way because of another writer.
        """
        return _engine(self.folder.database, connections=1, begin="BEGIN IMMEDIATE", pragmas=_PRAGMAS)

    def reading_engine(self) -> Engine:
        """Return an engine of a few connections that cannot write."""
        return _engine(self.folder.database, connections=READERS, begin="BEGIN", pragmas=("query_only=ON",))

    def trouble(self, error: SQLAlchemyError) -> DatabaseTrouble:
        """Translate an error of the database library, without the statement and its values."""
        cause = str(getattr(error, "orig", None) or library_cause(error)).rstrip(".")
        kind = _kind(cause)
        return kind(f"The database refused: {cause}. Check the free space and the files of the data folder.")

    def write_little(self, connection: Connection) -> None:
        """Write a number of the file's header, which nothing else uses."""
        connection.exec_driver_sql("PRAGMA user_version = 0")

    def prove_room(self) -> None:
        """Write a file beside the database and delete it.

        A write-ahead log that was longer before has room on a full disk, so a small write to it proves little.
        """
        try:
            self.folder.prove_room()
        except DataFolderUnusable as fault:
            raise DatabaseFull(str(fault)) from fault

    def pulse(self, engines: Iterable[Engine]) -> "ServerPulse | None":  # noqa: ARG002 - a file is no server
        """Return no pulse."""
        return None

    def announce_commits(self, committed: Callable[[EventPools], None]) -> Callable[[], None]:  # noqa: ARG002 - no other process commits
        """Announce nothing: the data folder is held by one service."""
        return lambda: None


def _kind(cause: str) -> type[DatabaseTrouble]:
    if any(sign in cause for sign in _DAMAGED):
        return DatabaseTrouble
    return DatabaseFull if _FULL in cause else DatabaseUnavailable


def _engine(path: Path, *, connections: int, begin: str, pragmas: tuple[str, ...]) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        pool_size=connections,
        max_overflow=0,
        hide_parameters=True,  # what is stored is never quoted in an error
        connect_args={"timeout": _BUSY_SECONDS, "check_same_thread": False},
    )

    def prepare(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
        # The driver must not begin transactions by itself: it would take the read lock first.
        connection.isolation_level = None
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}").close()

    def begin_transaction(connection: Connection) -> Any:
        return connection.exec_driver_sql(begin)

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", begin_transaction)
    return engine
