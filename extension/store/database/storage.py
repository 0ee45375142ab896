"""Storage: the place of a database, with everything in which its program differs from others."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from extension.store.errors import DatabaseTrouble

if TYPE_CHECKING:
    from extension.store.database.pulse import ServerPulse

Release = Callable[[], None]
"""Ends something that was begun."""


class Storage(Protocol):
    """A database of one program. Its engines connect when they are used, not before."""

    @property
    def shared(self) -> bool:
        """Several service processes may use the database at the same time."""

    def prepare(self, now: int) -> None:
        """Make ready for a migration, at `now` in milliseconds UTC, or raise `StoreError`."""

    def migrating_engine(self) -> Engine:
        """Return an engine for migrations, one at a time."""

    def writing_engine(self) -> Engine:
        """Return an engine whose transactions exclude each other, so that numbers are given in the order of commits."""

    def reading_engine(self) -> Engine:
        """Return an engine of a few connections that cannot write; each transaction sees one state of the database."""

    def trouble(self, error: SQLAlchemyError) -> DatabaseTrouble:
        """Translate an error of the database library, without the statement and its values."""

    def write_little(self, connection: Connection) -> None:
        """Write as little as proves that a transaction can be stored, and change nothing."""

    def prove_room(self) -> None:
        """Make sure that there is room for more than the pages and files that are there, or raise `DatabaseFull`."""

    def pulse(self, engines: Iterable[Engine]) -> "ServerPulse | None":
        """Return the pulse of a server that the engines connect to; None where there is no server."""

    def announce_commits(self, committed: Callable[[], None]) -> Release:
        """Call a function, in a thread, after commits of other processes until the release."""
