"""A PostgreSQL server of the test session: a new cluster, under its own user, on a unix socket alone."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import psycopg
from psycopg import sql

from tests.postgresql.programs import ADVICE, find_postgresql

_SUPERUSER: Final = "poolkeeper"
_FAST: Final = (
    "fsync=off",
    "full_page_writes=off",
    "synchronous_commit=off",
    "listen_addresses=",
    "max_connections=60",
)
_LASTING: Final = (
    "listen_addresses=",
    "shared_buffers=1GB",
    "work_mem=64MB",
    "max_wal_size=4GB",
    # One process for a query, so that its processor time is counted as a whole.
    "max_parallel_workers_per_gather=0",
)
_ACCOUNTS: Final = ("postgres", "nobody")


class PostgreSQLServer:
    """A running cluster in a folder of its own."""

    def __init__(self, programs: Path, folder: Path, user: str | None, options: Sequence[str]) -> None:
        self._programs = programs
        self._folder = folder
        self._user = user
        self._options = [*options, f"unix_socket_directories={folder}"]

    def make(self) -> None:
        """Create the cluster."""
        self._run("initdb", "-D", str(self._data), "-U", _SUPERUSER, "--auth=trust", "--no-sync", "-E", "UTF8",
                  "--locale=C")  # fmt: skip

    def start(self, more: Sequence[str] = ()) -> None:
        """Start the server and wait until it answers."""
        options = " ".join(f"-c {option}" for option in (*self._options, *more))
        log = str(self._folder / "log")
        self._run("pg_ctl", "start", "-D", str(self._data), "-w", "-s", "-l", log, "-o", options)

    def stop(self, mode: str = "fast") -> None:
        """Stop the server; with the mode `immediate` as a power cut would."""
        self._run("pg_ctl", "stop", "-D", str(self._data), "-w", "-s", "-m", mode)

    def freeze(self) -> None:
        """Stop every process of the server, so that nothing is answered or refused."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let the processes go on."""
        self._signal(signal.SIGCONT)

    def address(self, database: str) -> str:
        """Return the address of a database."""
        return f"postgresql://{_SUPERUSER}@/{database}?host={self._folder}"

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

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    def _execute(self, statement: sql.Composed) -> None:
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(statement)

    def _signal(self, number: signal.Signals) -> None:
        first = int((self._data / "postmaster.pid").read_text().split()[0])
        os.kill(first, number)
        for child in Path(f"/proc/{first}/task/{first}/children").read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(child), number)

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(self._programs / program), *arguments],
            user=self._user,
            group=None if self._user is None else pwd.getpwnam(self._user).pw_gid,
            extra_groups=None if self._user is None else [],
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if program == "initdb" else subprocess.DEVNULL,
            stderr=subprocess.STDOUT if program == "initdb" else None,
            check=False,
        )
        assert done.returncode == 0, f"{program} failed: {done.stdout!r}"


def _user() -> str | None:
    """Return the user to run as: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in _ACCOUNTS if name in names)


@contextmanager
def running_server(*, durable: bool = False) -> Iterator[PostgreSQLServer]:
    """Run a server until the context ends; a machine without PostgreSQL is a failure.

    One that is durable waits for the disk, as in production.
    """
    programs = find_postgresql(os.environ)
    assert programs is not None, ADVICE
    # A short path: the name of a socket has 107 characters at most.
    folder = Path(tempfile.mkdtemp(prefix="pk-pg-"))
    user = _user()
    try:
        if user is not None:
            shutil.chown(folder, user)
        server = PostgreSQLServer(programs, folder, user, _LASTING if durable else _FAST)
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")
    finally:
        shutil.rmtree(folder)
