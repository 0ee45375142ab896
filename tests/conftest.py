"""Rules for the whole suite: what starts processes is slow, nothing leaves this machine, signals do what they do."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.loopback import GUARD
from tests.postgresql.server import PostgreSQLServer, running_server
from tools.mirror.declaration import read_declaration
from tools.mirror.import_audit import ImportAudit

STARTS_PROCESSES = Path(__file__).parent / "system"

# Collecting makes objects that stay: a third of its time went to searches for cycles among them.
gc.disable()
GUARD.install()
AUDIT = ImportAudit(read_declaration(Path(__file__).parents[1]))
AUDIT.install()

settings.register_profile("repeatable", deadline=None, derandomize=True, max_examples=20)
settings.register_profile("soak", deadline=None, max_examples=200)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
"""Examples are judged by their results: a busy machine is no failure, and `timeout` ends one that hangs.

Tests take the same examples each time, so that they judge the change; the soak looks for new ones.
"""


def pytest_configure() -> None:
    """Let signals end what is started here: what runs in the background is told to ignore some, and hands that on."""
    for number, answer in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, answer)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests that start the whole service out of the quick check.

    They come first: at the end, workers would wait for the last of them.
    """
    for item in items:
        if STARTS_PROCESSES in item.path.parents:
            item.add_marker("slow")
    items.sort(key=lambda item: STARTS_PROCESSES not in item.path.parents)


def pytest_collection_finish() -> None:
    """Leave ten thousand collected tests out of the search for cycles, and search less often.

    Each full search took half a second among them; with few objects left to compare with, it would come more often.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[PostgreSQLServer]:
    """A PostgreSQL server of this session."""
    with running_server() as server:
        yield server


@pytest.fixture
def postgresql_address(postgresql_server: PostgreSQLServer) -> Iterator[str]:
    """The address of a new, empty database."""
    name = postgresql_server.create()
    yield postgresql_server.address(name)
    postgresql_server.drop(name)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Fail a test that asked for something beyond this machine, or let the wrong code import the mirrored package."""
    imported = AUDIT.taken()
    assert not imported, f"{item.nodeid}: {'; '.join(imported)}"
    refused = GUARD.taken()
    assert not refused, f"{item.nodeid} asked for {', '.join(refused)}"
