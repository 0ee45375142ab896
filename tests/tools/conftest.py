from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.repositories import FILES, Fork, Upstream, make_fork


@pytest.fixture
def upstream(tmp_path: Path) -> Upstream:
    """An upstream with the release v1.0.0."""
    made = Upstream(tmp_path / "upstream")
    made.commit(FILES, tag="v1.0.0")
    return made


@pytest.fixture
def fork(tmp_path: Path, upstream: Upstream) -> Fork:
    """A project that mirrors v1.0.0, committed."""
    made = make_fork(tmp_path / "fork", str(upstream.folder))
    made.sync()
    made.commit()
    return made
