from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.patch.at_work import LINES
from tests.tools.mirrorkeeper.repositories import Fork, Upstream
from tests.tools.mirrorkeeper.series.test_series import diff, patched_fork


@pytest.fixture
def upstream(upstream: Upstream) -> Upstream:
    upstream.commit({"long.txt": LINES, "lib/a.py": b"a = 1\n"}, tag="v1.1.0")
    return upstream


@pytest.fixture
def fork(tmp_path: Path, upstream: Upstream) -> Fork:
    """A project at v1.1.0 with two patches, one on the long file, one on two others."""
    first = diff(upstream, {"long.txt": LINES.replace(b"line 20\n", b"LINE 20\n")})
    second = diff(upstream, {"README.md": b"ours\n", "lib/a.py": b"a = 2\n"})
    made = patched_fork(tmp_path / "fork", upstream, first, second)
    made.sync("v1.1.0")
    made.commit()
    return made
