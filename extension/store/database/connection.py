"""SQLite engines with the pragmas and transactions we rely on: one that writes, one that reads beside it."""

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.pool import ConnectionPoolEntry

READERS = 4
_BUSY_SECONDS = 5

# WAL lets readers go on while we write. FULL, because an intent to act must survive a power cut; group commit makes it
# cheap.
_PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")


def writing_engine(path: Path) -> Engine:
    """Return an engine of one connection whose transactions begin with the write lock (`BEGIN IMMEDIATE`).

    Taking the lock first means that a transaction never fails half-way because of another writer.
    """
    return _engine(path, connections=1, begin="BEGIN IMMEDIATE", pragmas=_PRAGMAS)


def migrating_engine(path: Path) -> Engine:
    """Return an engine for migrations: it checks no foreign key, because SQLite alters a table by making it anew."""
    return _engine(path, connections=1, begin="BEGIN IMMEDIATE", pragmas=(*_PRAGMAS[:2], "foreign_keys=OFF"))


def reading_engine(path: Path) -> Engine:
    """Return an engine of a few connections that cannot write; each transaction sees one state of the database."""
    return _engine(path, connections=READERS, begin="BEGIN", pragmas=("query_only=ON",))


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
