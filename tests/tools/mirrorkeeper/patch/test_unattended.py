"""`mirror sync --refresh`: mechanical changes need no person, real conflicts still do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.patch.at_work import LINES, REASONS, editing, go_on, work
from tests.tools.mirrorkeeper.repositories import WHO, Fork, Upstream, contents
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.git.command import Git
from tools.mirrorkeeper.mirror.sync.sync import Synchronization
from tools.mirrorkeeper.mirror.sync.sync_options import SyncOptions
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify
from tools.mirrorkeeper.patch.forward import look_forward
from tools.mirrorkeeper.patch.unattended import sync_refreshing
from tools.mirrorkeeper.system.files import DiskFiles
from tools.mirrorkeeper.tool_name import TOOL

pytestmark = pytest.mark.slow


def sync(fork: Fork, *arguments: str) -> int:
    return main(["-C", str(fork.root), "mirror", "sync", *arguments])


def test_a_patch_that_applies_elsewhere_is_made_anew_and_said(
    fork: Fork, upstream: Upstream, capsys: pytest.CaptureFixture[str]
) -> None:
    upstream.commit({"long.txt": b"new first\n" + LINES}, tag="v1.2.0")

    assert sync(fork, "v1.2.0", "--refresh") == 0
    said = capsys.readouterr().err
    assert "made anew without a person: p0.patch" in said
    assert b"LINE 20\n" in (fork.mirror / "long.txt").read_bytes()
    assert fork.codes(prove=True) == []
    assert not editing(fork, "").exists()


def test_a_change_beside_the_patch_is_merged_without_a_person(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"long.txt": LINES.replace(b"line 22\n", b"theirs 22\n")}, tag="v1.2.0")

    assert sync(fork, "v1.2.0", "--refresh") == 0
    assert b"LINE 20\nline 21\ntheirs 22\n" in (fork.mirror / "long.txt").read_bytes()


def test_a_patch_follows_a_renamed_file(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"long.txt": None, "docs/longer.txt": LINES + b"line 30\n"}, tag="v1.2.0")

    assert sync(fork, "v1.2.0", "--refresh") == 0
    assert b"LINE 20\n" in (fork.mirror / "docs/longer.txt").read_bytes()
    assert not (fork.mirror / "long.txt").exists()
    assert fork.codes(prove=True) == []


@pytest.mark.parametrize("content", [LINES, b"new first\n" + LINES], ids=["mode alone", "mode and content"])
def test_a_patch_of_a_file_that_becomes_executable_is_made_anew(fork: Fork, upstream: Upstream, content: bytes) -> None:
    upstream.git.run("config", "core.fileMode", "false")  # the helper would set the mode back
    upstream.git.run("update-index", "--chmod=+x", "long.txt")
    upstream.commit({"long.txt": content}, tag="v1.2.0")

    assert sync(fork, "v1.2.0", "--refresh") == 0
    assert b"LINE 20\n" in (fork.mirror / "long.txt").read_bytes()
    assert (fork.mirror / "long.txt").stat().st_mode & 0o100
    assert fork.codes(prove=True) == []
    assert not work(fork).check().findings


def test_a_patch_of_a_file_that_is_renamed_to_two_copies_needs_a_person(
    fork: Fork, upstream: Upstream, capsys: pytest.CaptureFixture[str]
) -> None:
    upstream.commit({"long.txt": None, "a/long.txt": LINES, "b/long.txt": LINES}, tag="v1.2.0")
    before = contents(fork.root / "patches")

    (ahead,) = look_forward(fork.project).findings
    assert "PAT011" in ahead.message
    assert sync(fork, "v1.2.0", "--refresh") == 3
    assert contents(fork.root / "patches") == before
    said = capsys.readouterr().err
    assert "a/long.txt: PAT011 p0.patch: its long.txt is in this file, and in b/long.txt as well" in said
    work(fork).refresh()
    go_on(fork)
    assert b"LINE 20\n" in (fork.mirror / "a/long.txt").read_bytes()


def test_an_edit_of_a_patch_for_a_renamed_file_opens_with_the_change_in_the_new_one(
    fork: Fork, upstream: Upstream
) -> None:
    changed = LINES.replace(b"line 20\n", b"theirs 20\n")
    upstream.commit({"long.txt": None, "docs/long.txt": changed}, tag="v1.2.0")
    before = contents(fork.root / "patches")

    assert sync(fork, "v1.2.0", "--refresh") == 3
    assert contents(fork.root / "patches") == before
    work(fork).edit("p0", again=False)
    assert b"<<<<<<< " in (editing(fork, "p0") / "docs/long.txt").read_bytes()


def test_a_real_conflict_pauses_and_changes_no_patch(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"long.txt": b"new first\n" + LINES, "lib/a.py": b"a = 3\n"}, tag="v1.2.0")
    before = contents(fork.root / "patches"), contents(fork.mirror)

    assert sync(fork, "v1.2.0", "--refresh") == 3
    assert (contents(fork.root / "patches"), contents(fork.mirror)) == before
    assert sync(fork, "--abort") == 0


def test_a_change_the_upstream_made_itself_is_left_to_a_person(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"long.txt": LINES.replace(b"line 20\n", b"LINE 20\n")}, tag="v1.2.0")

    assert sync(fork, "v1.2.0", "--refresh") == 3


def test_an_open_edit_is_not_taken_in(fork: Fork, upstream: Upstream) -> None:
    work(fork).edit("p1", again=False)
    upstream.commit({"long.txt": b"new first\n" + LINES}, tag="v1.2.0")

    assert sync(fork, "v1.2.0", "--refresh") == 3
    assert editing(fork, "p1").exists()


def test_a_clean_release_needs_nothing_and_a_dry_run_is_refused(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"other.txt": b"x\n"}, tag="v1.2.0")

    assert sync(fork, "v1.2.0", "--refresh", "--dry-run") == 2
    before = contents(fork.root / "patches")
    assert sync(fork, "v1.2.0", "--refresh") == 0
    assert contents(fork.root / "patches") == before


def test_git_am_takes_a_new_patch_with_its_author_and_date(
    fork: Fork, upstream: Upstream, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE"):
        monkeypatch.setenv(name, WHO[name])
    (fork.mirror / "run.sh").write_bytes(b"#!/bin/sh\nexit 1\n")
    assert work(fork).new("exit", REASONS, from_mirror=True) == ("exit.patch",)
    Git(tmp_path).run("clone", "--quiet", "--branch=v1.1.0", str(upstream.folder), "clone")
    git = Git(tmp_path / "clone")
    git.run("am", "--quiet", str(fork.root / "patches/exit.patch"), environment=WHO)

    shown = git.run("log", "-1", "--format=%an <%ae> %aI %s").text
    assert shown == "Ann Author <ann@example.test> 2026-01-02T03:04:05+00:00 exit"


@pytest.mark.parametrize("way", ["--continue", "--abort", "v1.2.0 --refresh"])
def test_a_process_that_ends_after_patches_were_written_leaves_the_commands_that_settle_it(
    fork: Fork, upstream: Upstream, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream.commit({"long.txt": b"new first\n" + LINES}, tag="v1.2.0")
    before = contents(fork.root / "patches")
    synchronization = Synchronization(fork.project, DiskFiles(), fork.said.append)
    monkeypatch.setattr(synchronization, "go_on", _end)
    with pytest.raises(SystemError):
        sync_refreshing(
            fork.project, DiskFiles(), fork.said.append, synchronization, SyncOptions("v1.2.0", refresh=True)
        )
    assert contents(fork.root / "patches") != before

    (finding,) = verify(fork.project, VerifyOptions()).findings
    assert finding.code == "PAT001"
    assert finding.fix == f"{TOOL} mirror sync --continue, or give it up: {TOOL} mirror sync --abort"
    assert sync(fork, *way.split()) == 0
    assert fork.codes(prove=True) == []
    assert (contents(fork.root / "patches") == before) is (way == "--abort")


def _end() -> None:
    raise SystemError("stands for the end of the process")
