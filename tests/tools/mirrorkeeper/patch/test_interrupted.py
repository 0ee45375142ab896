"""`mirror sync --refresh` that ends at any point: the next command that writes finishes or undoes the whole of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.failing_files import FailingFiles, PowerLostError
from tests.tools.mirrorkeeper.mirror.sync.test_crash import copy_of
from tests.tools.mirrorkeeper.patch.at_work import LINES, editing, go_on, work
from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.mirror.sync.sync import Synchronization
from tools.mirrorkeeper.mirror.sync.sync_options import SyncOptions
from tools.mirrorkeeper.mirror.workspace.pending import recover_pending
from tools.mirrorkeeper.patch.release.settling import settle_refresh
from tools.mirrorkeeper.patch.unattended import sync_refreshing
from tools.mirrorkeeper.system.files import DiskFiles, Files

pytestmark = pytest.mark.slow

OPERATIONS = 120
STEPS = [pytest.param(4, id="reduced"), pytest.param(1, id="whole", marks=pytest.mark.soak)]
"""Distance of the operations at which the power is lost."""
MOVED = b"new first\n" + LINES
State = tuple[dict[str, bytes], dict[str, bytes]]


@pytest.fixture
def ready(fork: Fork, upstream: Upstream) -> Fork:
    """A project whose upstream has a release for which both patches are made anew."""
    return ready_fork(fork, upstream)


def ready_fork(fork: Fork, upstream: Upstream) -> Fork:
    """A project at v1.1.0 whose upstream has that release, v1.2.0."""
    upstream.commit({"long.txt": MOVED, "lib/a.py": None, "lib/b.py": b"a = 1\n"}, tag="v1.2.0")
    return fork


def refresh(fork: Fork, files: Files, wanted: str | None = "v1.2.0") -> None:
    synchronization = Synchronization(fork.project, files, fork.said.append)
    sync_refreshing(fork.project, files, fork.said.append, synchronization, SyncOptions(wanted, refresh=True))


def state(fork: Fork) -> State:
    """Mirror, lock and declaration, and the patches."""
    return contents(fork.root / "mirror"), contents(fork.root / "patches")


def states(fork: Fork, tmp_path: Path) -> tuple[State, State]:
    whole = copy_of(fork, tmp_path / "whole")
    refresh(whole, DiskFiles())
    return state(fork), state(whole)


def interrupted(fork: Fork, at: int) -> bool:
    """Synchronize until the power is lost; return whether it came to its end."""
    try:
        refresh(fork, FailingFiles(at))
    except PowerLostError:
        return False
    return True


@pytest.mark.timeout(300)
@pytest.mark.parametrize("step", STEPS)
def test_power_lost_at_any_operation_is_settled_as_the_old_or_the_new_whole(
    ready: Fork, tmp_path: Path, step: int
) -> None:
    old, new = states(ready, tmp_path)
    seen, said = [], set[str]()
    for at in range(1, OPERATIONS, step):
        fork = copy_of(ready, tmp_path / f"at-{at}")
        finished = interrupted(fork, at)
        settle_refresh(fork.project, fork.said.append)
        recover_pending(fork.project, fork.said.append)

        settled = state(fork)
        assert settled in (old, new), f"a mixture after operation {at}"
        assert fork.codes() == []
        seen.append("new" if settled == new else "old")
        said.update(line for line in fork.said if "interrupted" in line)
        if finished:
            break
        shutil.rmtree(fork.root)
    else:
        pytest.fail("a synchronization has more operations than were tried")
    assert seen == sorted(seen, reverse=True)
    assert {"old", "new"} == set(seen)
    assert "an interrupted synchronization to v1.2.0 was finished, its patches made anew" in said
    assert "an interrupted synchronization to v1.2.0 was undone: mirror and patches are as they were before" in said


class _LostAfter(DiskFiles):
    """A disk that is lost right after a patch was written."""

    def __init__(self, patch: str) -> None:
        self._patch = patch

    def rename(self, source: Path, target: Path) -> None:
        super().rename(source, target)
        if target.name == self._patch:
            raise PowerLostError


def interrupt(fork: Fork, after: str = "p1.patch") -> None:
    """Synchronize until patches are written, by default all of them, and the mirror is not."""
    before = contents(fork.root / "patches")
    with pytest.raises(PowerLostError):
        refresh(fork, _LostAfter(after))
    now = contents(fork.root / "patches")
    assert now[after] != before[after]


@pytest.mark.timeout(300)
def test_power_lost_while_it_is_undone_is_undone_by_the_next_command(ready: Fork, tmp_path: Path) -> None:
    old, _ = states(ready, tmp_path)
    interrupt(ready)
    for again in range(1, OPERATIONS):
        fork = copy_of(ready, tmp_path / f"again-{again}")
        try:
            settle_refresh(fork.project, fork.said.append, FailingFiles(again))
            finished = True
        except PowerLostError:
            finished = False
        settle_refresh(fork.project, fork.said.append)
        recover_pending(fork.project, fork.said.append)
        assert state(fork) == old
        assert fork.codes() == []
        if finished:
            break
    else:
        pytest.fail("a recovery has more operations than were tried")
    assert again > 3


WRITING = {
    "sync --abort": ("mirror", "sync", "--abort"),
    "patch drop": ("patch", "drop", "p1"),
    "patch reorder": ("patch", "reorder", "p0", "p1"),
    "patch refresh": ("patch", "refresh"),
    "patch edit": ("patch", "edit", "p0"),
}


@pytest.mark.parametrize("name", list(WRITING))
def test_every_command_that_writes_settles_it_first(ready: Fork, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(ready.root / "patches")
    interrupt(ready)

    assert main(["-C", str(ready.root), *WRITING[name]]) == 0
    assert "an interrupted synchronization to v1.2.0 was undone" in capsys.readouterr().err
    now = contents(ready.root / "patches")
    assert now == {one: content for one, content in before.items() if one in now}
    assert ready.transaction.exists() is False


READING = (
    "mirror verify",
    "mirror status",
    "mirror diff",
    "mirror outdated",
    "mirror doctor",
    "patch list",
    "patch show p0",
    "patch refresh --check",
    "patch reorder --independent",
    "gates",
)


@pytest.mark.parametrize("command", READING)
def test_a_command_that_reads_tells_of_it_and_changes_nothing(
    ready: Fork, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    interrupt(ready)
    before = contents(ready.root / "patches"), contents(ready.root / "mirror/.gateway.edit")

    main(["-C", str(ready.root), *command.split()])
    told = "a synchronization to v1.2.0 was interrupted while it made patches anew: the next command that writes"
    said = capsys.readouterr()
    assert told in (said.out if command == "mirror doctor" else said.err)
    assert (contents(ready.root / "patches"), contents(ready.root / "mirror/.gateway.edit")) == before


@pytest.mark.parametrize("way", ["--continue", "v1.2.0 --refresh"])
def test_the_synchronization_can_be_taken_up(ready: Fork, tmp_path: Path, way: str) -> None:
    _, new = states(ready, tmp_path)
    interrupt(ready)

    assert main(["-C", str(ready.root), "mirror", "sync", *way.split()]) == 0
    assert state(ready) == new


def test_a_damaged_journal_is_told_and_keeps_no_gate_from_running(
    fork: Fork, capsys: pytest.CaptureFixture[str]
) -> None:
    editing(fork, "").mkdir()
    editing(fork, ".gitignore").write_text("*\n", encoding="ascii")
    editing(fork, "refreshing.json").write_bytes(b"{")

    assert main(["-C", str(fork.root), "gates"]) == 0
    assert main(["-C", str(fork.root), "mirror", "sync", "--abort"]) == 2
    said = capsys.readouterr().err
    assert said.count("refreshing.json is not a journal of these tools") == 2
    assert said.count("delete it, then python -m tools mirror sync --abort") == 2


def test_another_release_can_be_synchronized_at_once(ready: Fork) -> None:
    interrupt(ready)

    assert main(["-C", str(ready.root), "mirror", "sync", "v1.1.0"]) == 0
    assert ready.codes(prove=True) == []
    assert not editing(ready, "").exists()


def test_a_patch_that_was_edited_since_is_left_and_named(ready: Fork) -> None:
    before = contents(ready.root / "patches")
    interrupt(ready)
    (ready.root / "patches/p0.patch").write_bytes(b"a person's own\n")

    settle_refresh(ready.project, ready.said.append)
    assert (ready.root / "patches/p0.patch").read_bytes() == b"a person's own\n"
    assert contents(ready.root / "patches")["p1.patch"] == before["p1.patch"]
    assert "patches/p0.patch was changed since, and is left as it is" in ready.said


def test_patches_that_a_person_had_made_for_a_paused_release_stay(ready: Fork) -> None:
    assert main(["-C", str(ready.root), "mirror", "sync", "v1.2.0"]) == 3
    work(ready).refresh("p0")
    by_hand = contents(ready.root / "patches"), contents(ready.root / "mirror")
    interrupt(ready)

    settle_refresh(ready.project, ready.said.append)
    assert contents(ready.root / "patches") == by_hand[0]
    now = contents(ready.root / "mirror")
    assert {one: now[one] for one in by_hand[1]} == by_hand[1]
    work(ready).refresh()
    go_on(ready)
    assert ready.codes(prove=True) == []
