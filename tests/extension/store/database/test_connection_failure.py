"""Connections to PostgreSQL that fail: each cause by name, and no password."""

import re
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.exc import DBAPIError, InvalidRequestError, PendingRollbackError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from adapter.privacy.secret import Secret
from extension.store.data_folder import DataFolder
from extension.store.database import postgresql as module
from extension.store.database.connection_failure import ADVICE, cause_of
from extension.store.database.library_failure import LOST
from extension.store.database.postgresql import PostgreSQLStorage
from extension.store.database.sqlite import SQLiteStorage
from extension.store.errors import DatabaseUnavailable
from tests.postgresql.server import running_server
from tools.project.demo.ports import free_port

PASSWORD = "pw-Secret-17"
NO_CONNECTION = f"no connection to it could be made. {ADVICE}"
LOST_CONNECTION = f"{LOST} {ADVICE}"
RULES = """
local all poolkeeper trust
local postgres,missing known scram-sha-256
local postgres stranger trust
"""


@pytest.fixture(scope="module")
def socket_folder() -> Iterator[str]:
    with running_server() as server:
        with psycopg.connect(server.address("postgres"), autocommit=True) as connection:
            connection.execute("CREATE USER known PASSWORD 'right'")
            (rules,) = connection.execute("SHOW hba_file").fetchone() or ("",)
            Path(rules).write_text(RULES)
            connection.execute("SELECT pg_reload_conf()")
        # A new rule counts for the connections that the server takes after it has read the file.
        while "pg_hba" not in refusal(f"postgresql://unlisted@/postgres?host={Path(rules).parent.parent}"):
            pass
        yield str(Path(rules).parent.parent)


def refusal(address: str) -> str:
    try:
        PostgreSQLStorage(Secret(address)).prepare(0)
    except DatabaseUnavailable as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("address", "cause"),
    [
        ("postgresql://known:{password}@/postgres?host={folder}", "does not accept this user with this password"),
        ("postgresql://known@/postgres?host={folder}", "asks for a password"),
        ("postgresql://stranger:{password}@/postgres?host={folder}", "no such user"),
        ("postgresql://known:right@/missing?host={folder}", "no such database"),
        ("postgresql://known:{password}@/template1?host={folder}", "pg_hba.conf"),
        ("postgresql://known:{password}@/postgres?host={folder}/elsewhere", "nothing listens there"),
    ],
)
def test_a_refused_connection_names_its_cause(socket_folder: str, address: str, cause: str) -> None:
    text = refusal(address.format(folder=socket_folder, password=PASSWORD))
    assert cause in text
    assert "OperationalError" not in text
    assert PASSWORD not in text


def test_a_port_without_a_server_and_a_name_without_a_host_are_told_apart() -> None:
    assert "nothing listens there" in refusal(f"postgresql://u:{PASSWORD}@127.0.0.1:{free_port()}/x")
    unresolved = psycopg.OperationalError("failed to resolve host 'db': [Errno -2] Name or service not known")
    assert "name of its host cannot be resolved" in cause_of(unresolved, PASSWORD)


def test_a_silent_server_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(module._REACHED, "connect_timeout", 2)
    with closing(socket.socket()) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(1)
        text = refusal(f"postgresql://u:{PASSWORD}@127.0.0.1:{listening.getsockname()[1]}/x")
    assert "does not answer in time" in text


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("connection failed: FATAL:  sorry, too many clients already\n", "sorry, too many clients already."),
        (f"connection failed: FATAL:  {PASSWORD} ist falsch", NO_CONNECTION),
        (f"invalid value {PASSWORD}", LOST_CONNECTION),
    ],
)
def test_a_line_of_the_server_is_passed_on_unless_it_holds_the_password(line: str, message: str) -> None:
    assert cause_of(psycopg.OperationalError(line), PASSWORD) == message


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (PendingRollbackError("Can't reconnect until it is rolled back: SELECT secret"), "the connection was lost"),
        (DBAPIError("SELECT secret", None, psycopg.OperationalError("the connection is lost")), "connection was lost"),
        (DBAPIError("SELECT secret", None, psycopg.InterfaceError("the connection is closed")), "connection was lost"),
        (
            DBAPIError("", None, psycopg.OperationalError(f"connection failed: odd words about {PASSWORD}")),
            "no connection to it could be made",
        ),
        (PoolTimeout("QueuePool limit of size 4 reached"), "no connection was free in time"),
        (InvalidRequestError("secret"), "the work could not be done"),
    ],
)
@pytest.mark.parametrize("server", [True, False])
def test_an_error_without_words_of_the_database_is_no_name_of_a_class(
    folder: DataFolder, error: SQLAlchemyError, cause: str, *, server: bool
) -> None:
    address = Secret(f"postgresql://u:{PASSWORD}@127.0.0.1:1/x")
    storage = PostgreSQLStorage(address) if server else SQLiteStorage(folder)
    if not server and getattr(error, "orig", None) is not None:
        return  # the errors of another driver
    message = str(storage.trouble(error))
    assert cause in message, message
    assert re.search(r"[a-z][A-Z]\w*Error|Error\b|secret", message) is None, message
    assert PASSWORD not in message
