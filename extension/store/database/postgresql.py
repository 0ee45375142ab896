"""PostgreSQL: one database that several service processes may share.

Theory of operation: every writing transaction begins with the same advisory lock, as every one of SQLite's begins with
the write lock. Numbers of rows are therefore given in the order of commits, so that a reader that follows them skips
none, and a transaction that checks a lease first cannot be overtaken by a process that takes the lease. See
`write_lock` for a process that is stopped in the middle of a transaction.
"""

import select
import socket
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import psycopg
from psycopg.adapt import Buffer
from psycopg.types.string import StrDumper
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from adapter.privacy.secret import Secret
from extension.store.database import event_pools
from extension.store.database.connection_failure import ADVICE, cause_of, known_cause
from extension.store.database.event_pools import EventPools
from extension.store.database.library_failure import library_cause
from extension.store.database.pulse import ServerPulse
from extension.store.database.write_lock import STOPPED_SECONDS, WRITER, take
from extension.store.errors import DatabaseFull, DatabaseTrouble, DatabaseUnavailable, DatabaseUnsuited

READERS: Final = 4
OLDEST: Final = 140_000
"""Oldest supported release of the server, as it numbers itself."""
_CHANNEL: Final = "poolkeeper_commits"
_RETRY_SECONDS: Final = 1.0
_RELEASE_SECONDS: Final = 2.0  # longest wait for the end of the listener, which a server that does not answer can hold
_REACHED: Final[dict[str, Any]] = {
    "connect_timeout": 5,
    # A server that is cut off without a word would keep a statement waiting for a quarter of an hour.
    "keepalives_idle": STOPPED_SECONDS,
    "keepalives_interval": STOPPED_SECONDS,
    "tcp_user_timeout": STOPPED_SECONDS * 1000,
}
"""Limits of every connection, in seconds, the last in milliseconds; a Unix socket ignores all but the first."""
_SOON_REACHED: Final = {**_REACHED, "connect_timeout": 2}
"""The same for the pulse, which the end of the service waits for."""
_MAKE_ROOM: Final = (
    b"SET LOCAL lock_timeout = '5s'",
    b"CREATE UNLOGGED TABLE poolkeeper_room (filler text)",
    # Four rows a page, below the length from which on values are compressed: 1 MiB.
    b"INSERT INTO poolkeeper_room SELECT repeat('x', 1900) FROM generate_series(1, 512)",
)


@dataclass(frozen=True, slots=True)
class PostgreSQLStorage:
    """A database of a PostgreSQL server, by an address that may hold a password."""

    address: Secret = field(repr=False)
    shared: bool = True

    def prepare(self, now: int) -> None:  # noqa: ARG002 - an upgrade that fails is rolled back as a whole
        """Make sure that the server answers and is recent enough, or raise `DatabaseTrouble`."""
        try:
            with psycopg.connect(self.conninfo(), **_REACHED, autocommit=True) as connection:
                version = connection.info.server_version
                (encoding,) = connection.execute("SHOW server_encoding").fetchone() or ("",)
        except psycopg.Error as error:
            raise self._unavailable("PostgreSQL cannot be used", error) from None
        if version < OLDEST:
            raise DatabaseUnsuited(f"PostgreSQL {OLDEST // 10_000} or newer is needed, not {version // 10_000}.")
        if encoding != "UTF8":
            raise DatabaseUnsuited(f"The database is encoded in {encoding}. Create it anew with ENCODING 'UTF8'.")

    def migrating_engine(self) -> Engine:
        """Return an engine for migrations: processes that start at the same time migrate one after the other."""
        return self._engine(1, take)

    def writing_engine(self) -> Engine:
        """Return an engine of one connection whose transactions begin with the advisory lock."""
        return self._engine(1, take)

    def reading_engine(self) -> Engine:
        """Return an engine of a few connections that cannot write."""
        return self._engine(
            READERS, None, isolation_level="REPEATABLE READ", execution_options={"postgresql_readonly": True}
        )

    def trouble(self, error: SQLAlchemyError) -> DatabaseTrouble:
        """Translate an error of the database library; PostgreSQL quotes stored values in the details alone."""
        cause = getattr(error, "orig", None)
        if isinstance(cause, psycopg.Error):
            return self._unavailable("The database refused", cause)
        return DatabaseUnavailable(f"The database refused: {library_cause(error)} {ADVICE}")

    def write_little(self, connection: Connection) -> None:
        """Write nothing: the announcement of the commit is a write."""

    def prove_room(self) -> None:
        """Fill a table of new pages and roll it back: a write that fits into pages that are there proves little.

        It stands where new tables of this user stand, and its pages go to no log. A server that refuses it for another
        reason, or does not answer, says nothing about its room: the write that follows tells.
        """
        try:
            with psycopg.connect(self.conninfo(), **_REACHED) as connection:
                for statement in _MAKE_ROOM:
                    connection.execute(statement)
                connection.rollback()
        except psycopg.errors.DiskFull as error:
            raise self._unavailable("The database refused", error) from None
        except psycopg.Error:
            return

    def pulse(self, engines: Iterable[Engine]) -> ServerPulse:
        """Return the pulse of the server."""
        return ServerPulse(lambda: psycopg.connect(self.conninfo(), **_SOON_REACHED, autocommit=True), engines)

    def announce_commits(self, committed: Callable[[EventPools], None]) -> Callable[[], None]:
        """Call a function, in a thread, after commits of any process and after every time without a connection.

        The result ends that.
        """
        waking, woken = socket.socketpair()
        thread = threading.Thread(target=self._listen, args=(committed, woken), name="store-listener", daemon=True)
        thread.start()

        def release() -> None:
            waking.close()
            thread.join(_RELEASE_SECONDS)
            if not thread.is_alive():
                woken.close()

        return release

    def _listen(self, committed: Callable[[EventPools], None], woken: socket.socket) -> None:
        while True:
            with (
                suppress(psycopg.Error),
                psycopg.connect(self.conninfo(), **_REACHED, autocommit=True) as connection,
            ):
                connection.execute(f"LISTEN {_CHANNEL}".encode())
                committed(None)
                while woken.fileno() not in select.select([connection.fileno(), woken.fileno()], (), ())[0]:
                    if notices := tuple(connection.notifies(timeout=0)):
                        committed(event_pools.read([notice.payload for notice in notices]))
            if select.select([woken], (), (), _RETRY_SECONDS)[0]:
                return

    def _engine(self, connections: int, begin: Callable[[Connection], None] | None, **more: Any) -> Engine:
        engine = create_engine(
            _url(self.address),
            pool_size=connections,
            max_overflow=0,
            pool_pre_ping=True,  # a server that was restarted costs no failed transaction
            hide_parameters=True,
            connect_args={
                **_REACHED,
                "application_name": WRITER if begin else "poolkeeper reader",
                # A reader holds no lock, and may think about what it has read.
                "options": f"-c idle_in_transaction_session_timeout={STOPPED_SECONDS if begin else 0}s "
                # Compiling takes longer than most statements run: 0.4 of 0.5 s for a chart of a million events.
                "-c timezone=UTC -c jit=off "
                # A plan for any values, made once, reads a month of usage in twice the time of one for a month.
                f"-c plan_cache_mode={'auto' if begin else 'force_custom_plan'} "
                f"-c lock_timeout={STOPPED_SECONDS}s -c client_encoding=UTF8",
            },
            **more,
        )
        event.listen(engine, "connect", _prepare)
        if begin is not None:
            event.listen(engine, "begin", begin)
            event.listen(engine, "commit", _announced)
        return engine

    def _unavailable(self, what: str, error: psycopg.Error) -> DatabaseUnavailable:
        """Say what failed and the next step: the server's one line without values, or the cause of no connection."""
        if line := error.diag.message_primary:
            kind = DatabaseFull if isinstance(error, psycopg.errors.DiskFull) else DatabaseUnavailable
            return kind(f"{what}: {line}. {ADVICE}")
        cause = cause_of(error, _url(self.address).password or "")
        return DatabaseUnavailable(f"{what}: {cause}", known_cause(error))

    def conninfo(self) -> str:
        """Return the address as the driver takes it; it may hold a password."""
        return _url(self.address).set(drivername="postgresql").render_as_string(hide_password=False)


def _url(address: Secret) -> URL:
    """Parse the address, or raise `DatabaseUnsuited`."""
    try:
        url = make_url(address.reveal())
    except (ArgumentError, ValueError):
        raise DatabaseUnsuited("The address of the database is not valid: postgresql://user@host/name.") from None
    return url.set(drivername="postgresql+psycopg")


def _announced(connection: Connection) -> None:
    connection.exec_driver_sql(f"NOTIFY {_CHANNEL}, '{event_pools.written(connection)}'")


def _prepare(connection: Any, _: ConnectionPoolEntry) -> None:
    connection.adapters.register_dumper(str, _TextDumper)


class _TextDumper(StrDumper):
    """Writes text without the character NUL, which PostgreSQL cannot store."""

    def dump(self, obj: str) -> Buffer | None:
        return super().dump(obj.replace("\0", "\ufffd"))
