"""A fleet for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.extension.api.fleet.house import House, fleet


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with fleet(tmp_path / "data") as opened:
        yield opened
