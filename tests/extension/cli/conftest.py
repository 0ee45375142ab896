"""The language of the tests is English, whatever the machine's is."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import structlog

from tests.extension.running_service import Running, running


@pytest.fixture(autouse=True)
def _in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POOLKEEPER_LANG", "en")


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Running]:
    """A service that keeps its log out of the output of commands: both are this process's."""
    async with running(tmp_path / "data", POOLKEEPER_LOG_LEVEL="error") as started:
        yield started
    structlog.reset_defaults()
