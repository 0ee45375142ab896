"""A project checked out sparsely: what is left out is neither missing nor in the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream
from tests.tools.mirrorkeeper.series.test_series import diff, patched_fork
from tools.mirrorkeeper.cli import main

pytestmark = pytest.mark.slow


@pytest.fixture
def sparse(fork: Fork) -> Fork:
    """A project whose checkout leaves the mirror's src out."""
    leave_out(fork, "src")
    return fork


def leave_out(fork: Fork, name: str) -> None:
    fork.project.git.run("reset", "--quiet", "--hard")
    fork.project.git.run("sparse-checkout", "set", "--no-cone", "/*", f"!/mirror/gateway/{name}")
    assert not (fork.mirror / name).exists()


def test_what_is_left_out_is_proven_from_the_index(sparse: Fork) -> None:
    assert sparse.codes(prove=True) == ["MIR014"]


def test_a_patched_file_that_is_left_out_is_proven_from_the_index(tmp_path: Path, upstream: Upstream) -> None:
    fork = patched_fork(tmp_path / "fork", upstream, diff(upstream, {"README.md": b"ours\n"}))
    fork.sync()
    fork.commit()
    leave_out(fork, "README.md")

    assert fork.codes(prove=True) == ["MIR014"]


def test_what_is_left_out_and_wrong_in_the_index_is_not_proven(sparse: Fork) -> None:
    git = sparse.project.git
    oid = git.run("hash-object", "-w", "--stdin", stdin=b"evil\n").text
    git.run("update-index", "--cacheinfo", f"100644,{oid},mirror/gateway/src/app.py")
    git.run("update-index", "--skip-worktree", "mirror/gateway/src/app.py")

    assert "MIR001" in sparse.codes(prove=True)


def test_a_synchronization_to_the_same_release_leaves_the_checkout_sparse(sparse: Fork) -> None:
    sparse.sync()

    assert sparse.said[-1].startswith("the mirror is at v1.0.0 already")
    assert not (sparse.mirror / "src").exists()


def test_a_synchronization_to_another_release_says_that_it_wrote_everything(sparse: Fork, upstream: Upstream) -> None:
    upstream.commit({"a": b"a"}, tag="v1.1.0")
    sparse.sync("v1.1.0")

    assert (sparse.mirror / "src/app.py").is_file()
    assert sparse.codes(prove=True) == []
    assert "`git sparse-checkout reapply`" in sparse.said[-1]
    sparse.project.git.run("sparse-checkout", "reapply")
    assert not (sparse.mirror / "src").exists()
    assert sparse.codes(prove=True) == ["MIR014"]


def test_a_file_changed_beside_what_is_left_out_is_still_in_the_way(
    sparse: Fork, capsys: pytest.CaptureFixture[str]
) -> None:
    (sparse.mirror / "README.md").write_bytes(b"mine\n")

    assert main(["-C", str(sparse.root), "mirror", "sync"]) == 2
    assert "changes of its own: mirror/gateway/README.md (MIR001)" in capsys.readouterr().err.splitlines()[0]
