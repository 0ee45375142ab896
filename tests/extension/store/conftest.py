from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from extension.store.data_folder import DataFolder
from extension.store.database.database import Database


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[DataFolder]:
    with DataFolder.open(tmp_path / "data") as opened:
        yield opened


@pytest.fixture
async def database(folder: DataFolder) -> AsyncIterator[Database]:
    opened = await Database.open(folder)
    yield opened
    await opened.close()
