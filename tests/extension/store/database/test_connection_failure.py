"""Connections to PostgreSQL that fail: each cause by name, and no password."""

import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from adapter.privacy.secret import Secret
from extension.store.database import postgresql as module
from extension.store.database.connection_failure import cause_of
from extension.store.database.postgresql import PostgreSQLStorage
from extension.store.errors import DatabaseUnavailable
from tests.free_port import free_port
from tests.postgresql.server import running_server

PASSWORD = "pw-Secret-17"
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
    ("line", "said"),
    [
        ("connection failed: FATAL:  sorry, too many clients already\n", "sorry, too many clients already."),
        (f"connection failed: FATAL:  {PASSWORD} ist falsch", ""),
        (f"invalid value {PASSWORD}", ""),
    ],
)
def test_a_line_of_the_server_is_passed_on_unless_it_holds_the_password(line: str, said: str) -> None:
    assert cause_of(psycopg.OperationalError(line), PASSWORD) == said
