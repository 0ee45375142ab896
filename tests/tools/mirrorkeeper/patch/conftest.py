from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.patch.at_work import LINES
from tests.tools.mirrorkeeper.repositories import Upstream
from tests.tools.mirrorkeeper.series.test_series import diff, patched_fork


@pytest.fixture(scope="session")
def template(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An upstream with the release v1.1.0 and a project at it, with two patches; tests take copies."""
    folder = tmp_path_factory.mktemp("patched")
    shutil.copytree(template / "upstream", folder / "upstream")
    upstream = Upstream(folder / "upstream")
    upstream.commit({"long.txt": LINES, "lib/a.py": b"a = 1\n"}, tag="v1.1.0")
    first = diff(upstream, {"long.txt": LINES.replace(b"line 20\n", b"LINE 20\n")})
    second = diff(upstream, {"README.md": b"ours\n", "lib/a.py": b"a = 2\n"})
    made = patched_fork(folder / "fork", upstream, first, second, url="../upstream")
    made.sync("v1.1.0")
    made.commit()
    return folder
