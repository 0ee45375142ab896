"""`upstream open` and `upstream publish`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirror.project import Fork, git
from tools.mirror.errors import PausedError, ToolError
from tools.mirror.upstream import open_upstream, publish
from tools.mirror.verify import verify


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    """A project whose upstream is a folder of bundles, still empty."""
    return Fork.make(tmp_path / "fork", "mirror/upstream")


def opened(fork: Fork, folder: Path) -> Path:
    open_upstream(fork.declaration, folder)
    git(folder, "config", "user.name", "Ann")
    git(folder, "config", "user.email", "ann@example.org")
    return folder


def committed(folder: Path, name: str, content: str) -> None:
    (folder / name).write_text(content, encoding="utf-8")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=change")


def test_a_release_is_published_as_one_more_bundle_and_mirrored(fork: Fork, tmp_path: Path) -> None:
    work = opened(fork, tmp_path / "work")
    committed(work, "a", "1\n")
    assert publish(fork.declaration, work, "0.1.0", fork.said.append) == "v0.1.0"
    first = (fork.root / "mirror/upstream/v0.1.0.bundle").read_bytes()
    committed(work, "a", "2\n")
    assert publish(fork.declaration, work, None, fork.said.append) == "v0.1.1"
    assert (fork.root / "mirror/upstream/v0.1.0.bundle").read_bytes() == first

    fork.sync()

    assert (fork.root / "mirror/gateway/a").read_text(encoding="utf-8") == "2\n"
    assert [finding.code for finding in verify(fork.declaration) if finding.level == "error"] == []


def test_commits_are_rebased_on_the_newest_release(fork: Fork, tmp_path: Path) -> None:
    first, second = opened(fork, tmp_path / "first"), tmp_path / "second"
    committed(first, "a", "1\n")
    publish(fork.declaration, first, "0.1.0", fork.said.append)
    opened(fork, second)
    committed(first, "b", "of the first\n")
    publish(fork.declaration, first, None, fork.said.append)
    committed(second, "c", "of the second\n")
    assert publish(fork.declaration, second, None, fork.said.append) == "v0.1.2"
    assert (second / "b").is_file()
    committed(first, "c", "in conflict\n")
    with pytest.raises(PausedError, match=r"rebasing on v0\.1\.2 conflicts in c; the branch is as it was"):
        publish(fork.declaration, first, None, fork.said.append)


def test_what_is_not_ready_is_refused(fork: Fork, tmp_path: Path) -> None:
    work = opened(fork, tmp_path / "work")
    with pytest.raises(ToolError, match="has no commit yet"):
        publish(fork.declaration, work, "0.1.0", fork.said.append)
    committed(work, "pyproject.toml", '[project]\nversion = "0.1.0"\n')
    with pytest.raises(ToolError, match="needs its version"):
        publish(fork.declaration, work, None, fork.said.append)
    with pytest.raises(ToolError, match=r"pyproject\.toml says version 0\.1\.0"):
        publish(fork.declaration, work, "0.2.0", fork.said.append)
    publish(fork.declaration, work, "0.1.0", fork.said.append)
    with pytest.raises(ToolError, match=r"has nothing that v0\.1\.0 does not have"):
        publish(fork.declaration, work, None, fork.said.append)
    with pytest.raises(ToolError, match=r"0\.0\.9 is not newer"):
        publish(fork.declaration, work, "0.0.9", fork.said.append)
    (work / "open").write_text("", encoding="utf-8")
    with pytest.raises(ToolError, match="not committed: open"):
        publish(fork.declaration, work, None, fork.said.append)
    git(work, "switch", "--quiet", "--create", "other")
    with pytest.raises(ToolError, match="is on other, releases are made from main"):
        publish(fork.declaration, work, None, fork.said.append)
    with pytest.raises(ToolError, match="is there and not empty"):
        open_upstream(fork.declaration, work)
