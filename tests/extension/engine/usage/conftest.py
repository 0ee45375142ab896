from collections.abc import Iterator
from pathlib import Path

import pytest

from extension.store.data_folder import DataFolder


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[DataFolder]:
    with DataFolder.open(tmp_path / "data") as opened:
        yield opened
