"""Fixtures of the tests over real HTTP."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.extension.running_service import Running, running


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Running]:
    async with running(tmp_path / "data") as house:
        yield house
