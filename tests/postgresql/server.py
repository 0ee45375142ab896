"""A PostgreSQL server of the test session: a new cluster, under its own user, on a unix socket alone."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import psycopg
from psycopg import sql

from tools.project.demo.postgresql import ADVICE, Cluster, find_postgresql

_FAST: Final = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=60")
_LASTING: Final = (
    "shared_buffers=1GB",
    "work_mem=64MB",
    "max_wal_size=4GB",
    # One process for a query, so that its processor time is counted as a whole.
    "max_parallel_workers_per_gather=0",
)


class PostgreSQLServer(Cluster):
    """A running cluster in a folder of its own."""

    def freeze(self) -> None:
        """Stop every process of the server, so that nothing is answered or refused."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let the processes go on."""
        self._signal(signal.SIGCONT)

    def create(self, template: str = "template0") -> str:
        """Create a database from a template and return its name."""
        name = f"t_{secrets.token_hex(6)}"
        self._execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )
        return name

    def drop(self, name: str) -> None:
        """Drop a database, with the connections to it."""
        self._execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def _execute(self, statement: sql.Composed) -> None:
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(statement)

    def _signal(self, number: signal.Signals) -> None:
        first = int((self.data / "postmaster.pid").read_text().split()[0])
        os.kill(first, number)
        for child in Path(f"/proc/{first}/task/{first}/children").read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(child), number)


@contextmanager
def running_server(*, durable: bool = False) -> Iterator[PostgreSQLServer]:
    """Run a server until the context ends; a machine without PostgreSQL is a failure.

    One that is durable waits for the disk, as in production.
    """
    programs = find_postgresql(os.environ)
    assert programs is not None, ADVICE
    folder = Path(tempfile.mkdtemp(prefix="pk-pg-"))
    try:
        server = PostgreSQLServer(programs, folder, _LASTING if durable else _FAST)
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")
    finally:
        shutil.rmtree(folder)
