"""What a pause keeps, what giving it up puts back, and that every command named on the way works."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.failing_files import FailingFiles, PowerLostError
from tests.tools.mirrorkeeper.mirror.sync.test_crash import OPERATIONS, copy_of
from tests.tools.mirrorkeeper.patch.at_work import LINES, REASONS, editing, go_on, order, work
from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.errors import Paused, ToolError
from tools.mirrorkeeper.mirror.sync.sync import Synchronization
from tools.mirrorkeeper.patch.abort import abort_sync
from tools.mirrorkeeper.system.files import DiskFiles

pytestmark = pytest.mark.slow


@pytest.fixture
def moved(fork: Fork, upstream: Upstream) -> Fork:
    """Paused at v1.2.0, which has a line above what the first patch changes."""
    upstream.commit({"long.txt": b"new first\n" + LINES}, tag="v1.2.0")
    with pytest.raises(Paused):
        fork.sync("v1.2.0")
    return fork


def abort(fork: Fork) -> list[str]:
    said: list[str] = []
    abort_sync(fork.project, DiskFiles(), said.append)
    return said


def pasted(lines: list[str]) -> list[str]:
    """The commands of a message, as far as they are ours."""
    return [line.strip().removeprefix("python -m tools ") for line in lines if "  python -m tools " in line]


def test_an_abort_while_nothing_is_paused_leaves_what_is_being_edited(fork: Fork) -> None:
    work(fork).new("name", REASONS, from_mirror=False)
    edited = editing(fork, "name") / "README.md"
    edited.write_bytes(b"hours of work\n")

    assert abort(fork) == [
        "nothing is paused; the mirror is at v1.1.0",
        f"still being edited: name.patch in {editing(fork, 'name')}",
        f"next: python -m tools patch refresh name, which takes it in; to give it up: rm -r {editing(fork, 'name')}",
    ]
    assert edited.read_bytes() == b"hours of work\n"


def test_an_abort_puts_the_patches_back_that_were_made_anew_for_the_release(moved: Fork) -> None:
    before = contents(moved.root / "patches")
    assert work(moved).refresh() == ("p0.patch",)

    assert abort(moved) == [
        "put back: patches/p0.patch",
        "gave up the synchronization to v1.2.0; the mirror is at v1.1.0, as before",
    ]
    assert contents(moved.root / "patches") == before
    assert moved.codes(prove=True) == []
    assert not editing(moved, "").exists()


def test_an_abort_puts_dropped_and_added_patches_and_their_order_back(moved: Fork) -> None:
    before = contents(moved.root / "patches")
    work(moved).drop("p0")
    work(moved).new("name", REASONS, from_mirror=False)
    (editing(moved, "name") / "run.sh").write_bytes(b"#!/bin/sh\nexit 1\n")
    work(moved).refresh()
    assert order(moved) == ("p1.patch", "name.patch")

    said = abort(moved)

    assert said[0] == "removed: patches/name.patch, which was made for that release"
    assert "put back: the order of the patches: p0.patch, p1.patch" in said
    assert (order(moved), contents(moved.root / "patches")) == (("p0.patch", "p1.patch"), before)
    assert moved.codes(prove=True) == []


def test_an_abort_leaves_a_patch_that_somebody_changed_since_and_says_so(moved: Fork) -> None:
    work(moved).refresh()
    path = moved.root / "patches/p0.patch"
    path.write_bytes(b"Subject: by hand\n" + path.read_bytes())

    assert abort(moved)[0] == "patches/p0.patch was changed since, and is left as it is"
    assert path.read_bytes().startswith(b"Subject: by hand\n")


def test_a_pause_whose_record_was_deleted_is_not_put_back_by_a_later_one(moved: Fork, upstream: Upstream) -> None:
    work(moved).refresh()
    (editing(moved, "") / "paused.json").unlink()
    refreshed = contents(moved.root / "patches")
    upstream.commit({"lib/a.py": b"a = 3\n"}, tag="v1.3.0")
    with pytest.raises(Paused):
        moved.sync("v1.3.0")

    assert len(abort(moved)) == 1
    assert contents(moved.root / "patches") == refreshed


def test_an_abort_keeps_an_edit_that_was_begun_before_the_pause(fork: Fork, upstream: Upstream) -> None:
    work(fork).new("name", REASONS, from_mirror=False)
    (editing(fork, "name") / "README.md").write_bytes(b"hours of work\n")
    upstream.commit({"lib/a.py": b"a = 3\n"}, tag="v1.2.0")
    with pytest.raises(Paused):
        fork.sync("v1.2.0")
    work(fork).edit("p1", again=False)

    assert "removed: the edit of patches/p1.patch for that release" in abort(fork)
    assert not editing(fork, "p1").exists()
    assert (editing(fork, "name") / "README.md").read_bytes() == b"hours of work\n"


def test_another_release_does_not_drop_a_pause(moved: Fork, upstream: Upstream) -> None:
    upstream.commit({"long.txt": LINES}, tag="v1.3.0")
    assert work(moved).refresh() == ("p0.patch",)
    (moved.mirror / "README.md").write_bytes(b"so that the pinned release is not there already\n")
    before = contents(moved.root / "patches"), contents(moved.mirror)

    for wanted in ("v1.3.0", "v1.1.0", None):
        with pytest.raises(ToolError, match=r"to v1\.2\.0 is paused at p0\.patch") as refused:
            moved.sync(wanted, discard=True)
        assert "mirror sync --continue; or give it up: python -m tools mirror sync --abort" in refused.value.advice
    assert (contents(moved.root / "patches"), contents(moved.mirror)) == before
    moved.sync("v1.2.0", dry_run=True, discard=True)
    moved.sync("v1.2.0", discard=True)
    assert not editing(moved, "").exists()
    assert moved.codes(prove=True) == []


def test_a_pause_remembers_that_patches_are_made_anew_without_a_person(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"long.txt": b"new first\n" + LINES, "lib/a.py": b"a = 3\n"}, tag="v1.2.0")
    here = ("-C", str(fork.root))
    assert main([*here, "mirror", "sync", "v1.2.0", "--refresh"]) == 3
    assert main([*here, "patch", "drop", "p1"]) == 0
    assert main([*here, "mirror", "sync", "--continue"]) == 0
    assert b"LINE 20\n" in (fork.mirror / "long.txt").read_bytes()
    assert fork.codes(prove=True) == []


def test_a_pause_whose_record_is_damaged_can_be_given_up(moved: Fork) -> None:
    (editing(moved, "") / "paused.json").write_text("{", encoding="utf-8")

    assert abort(moved)[-1] == "gave up the synchronization; the mirror is at v1.1.0, as before"
    with pytest.raises(ToolError, match="no synchronization is paused"):
        go_on(moved)


def test_a_place_named_relative_to_a_folder_is_found_from_another_one(
    fork: Fork, upstream: Upstream, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    upstream.commit({"long.txt": b"new first\n" + LINES}, tag="v1.2.0")
    upstream.folder.rename(tmp_path / "other")
    monkeypatch.chdir(tmp_path)
    assert main(["-C", str(fork.root), "mirror", "sync", "v1.2.0", "--source", "other"]) == 3
    monkeypatch.chdir("/")

    assert main(["-C", str(fork.root), "patch", "refresh"]) == 0
    assert main(["-C", str(fork.root), "mirror", "sync", "--continue"]) == 0
    assert fork.codes(prove=True) == []


def test_a_dry_run_leads_to_the_synchronization_itself(
    fork: Fork, upstream: Upstream, capsys: pytest.CaptureFixture[str]
) -> None:
    upstream.commit({"lib/a.py": b"a = 3\n"}, tag="v1.2.0")
    assert main(["-C", str(fork.root), "mirror", "sync", "--dry-run", "v1.2.0"]) == 3
    said = capsys.readouterr().err.splitlines()

    assert "help: nothing is paused: this was a dry run" in said
    assert pasted(said) == ["mirror sync v1.2.0"]
    assert main(["-C", str(fork.root), *pasted(said)[0].split()]) == 3


def test_a_patch_that_stops_while_nothing_is_paused_leads_to_commands_that_work(
    fork: Fork, capsys: pytest.CaptureFixture[str]
) -> None:
    path = fork.root / "patches/p0.patch"
    path.write_bytes(path.read_bytes().replace(b" line 19\n", b" line nineteen\n"))
    assert main(["-C", str(fork.root), "patch", "refresh"]) == 3
    commands = pasted(capsys.readouterr().err.splitlines())

    assert commands == ["patch edit p0", "patch refresh", "mirror sync"]
    assert main(["-C", str(fork.root), "patch", "edit", "p0"]) == 0
    settled = editing(fork, "p0")
    (settled / "long.txt").write_bytes(LINES.replace(b"line 20\n", b"LINE 20\n"))
    for rejected in settled.rglob("*.rej"):
        rejected.unlink()
    assert [main(["-C", str(fork.root), *command.split()]) for command in commands[1:]] == [0, 0]
    assert fork.codes(prove=True) == []


def test_an_order_that_cannot_be_leads_to_what_tells_the_orders_that_can(
    fork: Fork, upstream: Upstream, capsys: pytest.CaptureFixture[str]
) -> None:
    work(fork).new("name", REASONS, from_mirror=False)
    (editing(fork, "name") / "README.md").write_bytes(b"ours, renamed\n")
    work(fork).refresh()
    capsys.readouterr()
    assert main(["-C", str(fork.root), "patch", "reorder", "p0", "name", "p1"]) == 3
    said = capsys.readouterr().err.splitlines()

    assert "help: nothing was changed" in said
    assert pasted(said) == ["patch reorder --independent"]
    assert main(["-C", str(fork.root), "patch", "reorder", "--independent"]) == 0
    assert upstream.folder.is_dir()


def test_an_abort_after_power_was_lost_at_any_operation_leaves_mirror_and_patches_of_one_release(
    moved: Fork, tmp_path: Path
) -> None:
    work(moved).refresh()
    said: set[str] = set()
    for at in range(1, OPERATIONS):
        fork = copy_of(moved, tmp_path / f"at-{at}")
        try:
            Synchronization(fork.project, FailingFiles(at), fork.said.append).go_on()
            finished = True
        except PowerLostError:
            finished = False
        said.update(line.partition(";")[0] for line in abort(fork))

        assert fork.codes() == [], f"not clean after operation {at}"
        assert not editing(fork, "").exists()
        shutil.rmtree(fork.root)
        if finished:
            break
    else:
        pytest.fail("a synchronization has more operations than were tried")
    assert {"gave up the synchronization to v1.2.0", "the synchronization to v1.2.0 had come to its end"} <= said
