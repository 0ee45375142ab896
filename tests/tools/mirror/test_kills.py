"""A command that is killed is put right by the same command, or by `--abort`."""

from __future__ import annotations

import fcntl
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tools.mirror.project import Fork, git
from tools.mirror.errors import PausedError
from tools.mirror.patches import edit
from tools.mirror.repository import Repository
from tools.mirror.sync import abort
from tools.mirror.verify import verify
from tools.mirror.work import Work, at_work, work_folder

ROOT = Path(__file__).parents[3]


class KilledError(BaseException):
    """Stands for a process that ends on the spot."""


def killed_at(monkeypatch: pytest.MonkeyPatch, number: int) -> Callable[[], int]:
    """Let the command end before its git process of this number; returns a count of processes that were started."""
    started, run = [0], Repository.run

    def dying(self: Repository, *words: str, **more: object) -> object:
        started[0] += 1
        if started[0] == number:
            raise KilledError
        return run(self, *words, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Repository, "run", dying)
    return lambda: started[0]


def count_of(fork: Fork, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return the number of git processes of a whole synchronization."""
    with monkeypatch.context() as patch:
        started = killed_at(patch, 0)
        fork.sync("v1.1.0", refresh=True)
        return started()


def errors(fork: Fork) -> list[str]:
    return [finding.code for finding in verify(fork.declaration) if finding.level == "error"]


@pytest.fixture(scope="module")
def steps(pinned: Fork, tmp_path_factory: pytest.TempPathFactory) -> tuple[int, str]:
    """Number of git processes of a synchronization to v1.1.0, and the tree it ends with."""
    fork = pinned.copy(tmp_path_factory.mktemp("whole") / "fork")
    with pytest.MonkeyPatch.context() as monkeypatch:
        count = count_of(fork, monkeypatch)
    return count, git(fork.root, "write-tree")


@pytest.mark.parametrize("tenth", range(1, 11))
def test_the_same_command_ends_what_was_killed(fork: Fork, steps: tuple[int, str], tenth: int) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        killed_at(monkeypatch, max(1, steps[0] * tenth // 10))
        with pytest.raises(KilledError):
            fork.sync("v1.1.0", refresh=True)

    fork.sync("v1.1.0", refresh=True)

    assert git(fork.root, "write-tree") == steps[1]
    assert git(fork.root, "diff", "--name-only") == ""
    assert errors(fork) == []


def test_abort_takes_a_switch_back_that_was_killed(fork: Fork, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Work, "_write_index", lambda *_: (_ for _ in ()).throw(KilledError))
        with pytest.raises(KilledError):
            fork.sync("v1.1.0", refresh=True)
    assert "ENV004" in errors(fork)

    abort(fork.declaration, fork.said.append)

    assert fork.is_clean()
    assert errors(fork) == []


def test_a_settled_conflict_survives_a_kill(fork: Fork) -> None:
    with pytest.raises(PausedError):
        fork.sync("v1.2.0", refresh=True)
    path = fork.root / "mirror/.work/tree/a.txt"
    text = path.read_text(encoding="utf-8").split("\n")
    begin, end = (next(at for at, line in enumerate(text) if line.startswith(mark)) for mark in ("<<<<<<<", ">>>>>>>"))
    path.write_text("\n".join([*text[:begin], "settled", *text[end + 1 :]]), encoding="utf-8")
    with pytest.MonkeyPatch.context() as monkeypatch:
        killed_at(monkeypatch, 9)
        with pytest.raises((KilledError, PausedError)):
            fork.go_on()

    with pytest.raises(PausedError) as error:
        fork.go_on()

    assert "1-first.patch" not in error.value.message


@pytest.mark.soak
@pytest.mark.parametrize("tenth", range(10))
@pytest.mark.parametrize("command", ["mirror sync v1.1.0 --refresh", "patch refresh"])
def test_a_process_that_is_killed_anywhere_is_put_right_by_the_same_command(
    pinned: Fork, tmp_path: Path, command: str, tenth: int
) -> None:
    def started(fork: Fork) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-m", "tools", "-C", str(fork.root), *command.split()]
        return subprocess.Popen(words, cwd=ROOT, stderr=subprocess.DEVNULL)

    whole, fork = pinned.copy(tmp_path / "whole"), pinned.copy(tmp_path / "fork")
    for copy in (whole, fork):
        if command == "patch refresh":
            edit(copy.declaration, "2-second.patch", copy.said.append)
            (copy.root / "mirror/.work/tree/more.txt").write_bytes(b"more\n")
    begun = time.monotonic()
    assert started(whole).wait() == 0
    took = time.monotonic() - begun
    killed = started(fork)
    try:
        killed.wait(took * (tenth + 1) / 11)
    except subprocess.TimeoutExpired:
        killed.kill()
        killed.wait()

    assert started(fork).wait() == 0

    assert git(fork.root, "write-tree") == git(whole.root, "write-tree")
    assert git(fork.root, "diff", "--name-only") == ""
    assert errors(fork) == []


def test_a_command_waits_for_another_one_that_is_at_work_and_says_so(fork: Fork) -> None:
    folder = work_folder(fork.declaration)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)

        def say(line: str) -> None:
            fork.said.append(line)
            other.close()

        with at_work(fork.declaration, say):
            assert fork.said == ["waiting for another command of the tools that is at work here"]


@pytest.mark.parametrize("gives_up", [False, True])
def test_a_kill_while_the_working_tree_is_made_is_put_right(fork: Fork, *, gives_up: bool) -> None:
    work = work_folder(fork.declaration)
    # So git leaves it: a locked record of a tree, whose folder the next command removes.
    git(work / "repository", "worktree", "add", "--quiet", "--lock", "--detach", str(work / "tree"), "v1.0.0^{commit}")
    if gives_up:
        abort(fork.declaration, fork.said.append)

    fork.sync("v1.1.0", refresh=True)

    assert errors(fork) == []
