"""An unfinished merge of mirror, lock or patches is an error: none of its versions is what was verified."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream
from tests.tools.mirrorkeeper.series.test_series import diff, patched_fork
from tools.mirrorkeeper.gates import run_gates

pytestmark = pytest.mark.slow


def unmerge(fork: Fork, path: str) -> None:
    """Leave three versions of a path in the index, as a merge with conflicts does."""
    git = fork.project.git
    blob = git.run("rev-parse", f"HEAD:{path}").text
    git.run("update-index", "--force-remove", path)
    entries = "".join(f"100644 {blob} {stage}\t{path}\n" for stage in (1, 2, 3))
    git.run("update-index", "--index-info", stdin=entries.encode())


@pytest.mark.parametrize("path", ["mirror/gateway/src/app.py", "mirror/upstream.lock", "patches/p0.patch"])
def test_it_is_found_by_verify_and_the_gates(tmp_path: Path, upstream: Upstream, path: str) -> None:
    fork = patched_fork(tmp_path / "fork", upstream, diff(upstream, {"README.md": b"ours\n"}))
    fork.sync("v1.0.0")
    fork.commit()
    assert fork.found() == []

    unmerge(fork, path)

    assert fork.found() == [("MIR018", path)]
    report = run_gates(fork.project, ("mirror",))
    assert (report.status, [(one.code, one.shown_path) for one in report.findings if one.code != "MIR011"]) == (
        1,
        [("MIR018", path)],
    )


def test_a_synchronization_settles_that_of_the_mirror(fork: Fork) -> None:
    unmerge(fork, "mirror/gateway/src/app.py")

    fork.sync("v1.0.0")

    assert fork.found() == []
