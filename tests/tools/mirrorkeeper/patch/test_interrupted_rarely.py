"""Rare cases of `mirror sync --refresh` that ends before its end: a changed lock file, a live process, errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.patch.at_work import editing
from tests.tools.mirrorkeeper.patch.test_interrupted import interrupt, ready_fork, refresh, state, states
from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.mirror.sync.sync import Synchronization
from tools.mirrorkeeper.patch.release.settling import settle_refresh
from tools.mirrorkeeper.system.files import DiskFiles
from tools.mirrorkeeper.system.lock import ProcessLock

pytestmark = pytest.mark.slow


@pytest.fixture
def ready(fork: Fork, upstream: Upstream) -> Fork:
    """A project whose upstream has a release for which both patches are made anew."""
    return ready_fork(fork, upstream)


def test_a_lock_file_that_was_changed_since_leaves_the_patches(ready: Fork) -> None:
    interrupt(ready)
    patches = contents(ready.root / "patches")
    ready.project.lock_path.write_bytes(ready.project.lock_path.read_bytes() + b"\n")

    settle_refresh(ready.project, ready.said.append)
    assert contents(ready.root / "patches") == patches
    assert ready.said[-1].startswith(
        "mirror/upstream.lock was changed since a synchronization to v1.2.0 was interrupted"
    )


def test_nothing_is_settled_while_the_process_is_at_work(ready: Fork, capsys: pytest.CaptureFixture[str]) -> None:
    interrupt(ready)
    held = ProcessLock(editing(ready, "refreshing.lock"))
    held.acquire()
    before = state(ready)
    try:
        with pytest.raises(ToolError, match="another command is at work"):
            settle_refresh(ready.project, ready.said.append)
        main(["-C", str(ready.root), "mirror", "status"])
        assert "interrupted" not in capsys.readouterr().err
    finally:
        held.release()
    assert state(ready) == before


def test_an_error_after_patches_were_written_puts_them_back(ready: Fork, monkeypatch: pytest.MonkeyPatch) -> None:
    before = state(ready)

    def refuse(_: Synchronization) -> None:
        raise ToolError("the disk is full")

    monkeypatch.setattr(Synchronization, "go_on", refuse)
    with pytest.raises(ToolError, match="the disk is full"):
        refresh(ready, DiskFiles())
    assert state(ready) == before
    assert not editing(ready, "").exists()


def test_an_index_that_cannot_be_written_leaves_all_of_it_to_the_next_command(ready: Fork, tmp_path: Path) -> None:
    _, new = states(ready, tmp_path)
    held = ready.root / ".git/index.lock"
    held.write_bytes(b"")
    with pytest.raises(ToolError, match="the index of git is locked"):
        refresh(ready, DiskFiles())
    held.unlink()

    settle_refresh(ready.project, ready.said.append)
    assert state(ready) == new
    assert ready.codes() == []
