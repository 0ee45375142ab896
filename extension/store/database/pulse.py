"""Pulse of a database server: a question on a connection of its own that needs no lock and no time.

Theory of operation. A server whose processes are stopped accepts connections and acknowledges what it is sent, so no
limit of the network ends a statement, and one of the server does not run. A long statement or a lock delays only its
own connection. So a server that does not answer the pulse is away; its connections are shut here, which ends every
statement under way as a server that is killed does.
"""

import os
import socket
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any
from weakref import WeakSet

import psycopg
from sqlalchemy import Engine, event


class ServerPulse:
    """Pulse of a PostgreSQL server, for the connections of some engines."""

    def __init__(self, connect: Callable[[], "psycopg.Connection[Any]"], engines: Iterable[Engine]) -> None:
        self._connect = connect
        self._own: psycopg.Connection[Any] | None = None
        self._others: WeakSet[psycopg.Connection[Any]] = WeakSet()
        self._given_up = False
        self._lock = threading.Lock()
        for engine in engines:
            event.listen(engine, "connect", self._add)
            event.listen(engine, "do_connect", self._refuse)

    def ask(self) -> None:
        """Wait for an answer, of whatever kind: refusals are noticed by those that write."""
        try:
            if self._own is None:
                self._own = self._connect()
            self._own.execute("SELECT 1")
            self._given_up = False
        except psycopg.Error:
            own, self._own = self._own, None
            if own is not None:
                own.close()

    def cut(self) -> None:
        """Shut every connection, and make none until the server answers."""
        self._given_up = True
        with self._lock:
            connections = [*self._others]
        for connection in (*connections, self._own):
            if connection is not None:
                _shut(connection)

    def close(self) -> None:
        """Close the own connection, while no question is under way."""
        if self._own is not None:
            self._own.close()

    def _refuse(self, *_: object) -> None:
        """Refuse a connection at once: each would wait for its own time to end."""
        if self._given_up:
            raise psycopg.OperationalError("The server does not answer.")

    def _add(self, connection: "psycopg.Connection[Any]", _: object) -> None:
        with self._lock:
            self._others.add(connection)


def _shut(connection: "psycopg.Connection[Any]") -> None:
    with suppress(psycopg.Error, OSError), socket.socket(fileno=os.dup(connection.fileno())) as line:
        line.shutdown(socket.SHUT_RDWR)
