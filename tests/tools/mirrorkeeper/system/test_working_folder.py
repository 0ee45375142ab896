"""A folder that commands work in is gone at the end, also when a signal ends this process while they write."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.mirrorkeeper.system.children import CHILDREN
from tools.mirrorkeeper.system.signals import EndedError
from tools.mirrorkeeper.system.working_folder import remove_abandoned, working_folder

WRITES = 'i=0; echo ready; while [ $i -lt 300000 ]; do i=$((i+1)); : > "$1/$i"; done 2>/dev/null'
LEAVES_A_WRITER = f"""
({WRITES.replace("300000", "3000")}) &
trap 'exit 0' TERM
wait
"""


@pytest.mark.parametrize("script", [WRITES, LEAVES_A_WRITER], ids=["child", "grandchild"])
def test_a_folder_that_is_still_written_to_is_removed_after_a_signal(script: str) -> None:
    made: list[Path] = []

    def interrupted() -> None:
        with working_folder("working-") as name:
            made.append(Path(name))
            child = CHILDREN.start(lambda: subprocess.Popen(["sh", "-c", script, "sh", name], stdout=subprocess.PIPE))
            assert child.stdout is not None
            assert child.stdout.readline() == b"ready\n"
            child.stdout.close()
            raise EndedError(signal.SIGTERM)

    with pytest.raises(EndedError):
        interrupted()
    assert not made[0].exists()


def test_a_folder_is_removed_after_an_error_too() -> None:
    made: list[Path] = []

    def failing() -> None:
        with working_folder("working-") as name:
            made.append(Path(name))
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 - it has no text
        failing()
    assert not made[0].exists()


HOLDS = """
import os, subprocess, sys
from tools.mirrorkeeper.system.working_folder import working_folder
with working_folder("held-") as one, working_folder("held-") as two:
    os.makedirs(f"{one}/deep/er")
    os.symlink("/", f"{one}/deep/link")
    print(one, two, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for temporary ones, of this test and of the processes that it starts."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    remove_abandoned.cache_clear()
    yield tmp_path
    remove_abandoned.cache_clear()


def _holder() -> tuple[subprocess.Popen[str], list[Path]]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert process.stdout is not None
    return process, [Path(name) for name in process.stdout.readline().split()]


def _end(process: subprocess.Popen[str], *, kill: bool) -> None:
    if kill:
        process.kill()
    process.communicate()


def test_folders_of_a_killed_process_are_removed_and_those_of_a_living_one_stay(temporary: Path) -> None:
    killed, left = _holder()
    living, kept = _holder()
    try:
        _end(killed, kill=True)
        assert sorted(temporary.iterdir()) == sorted((*left, *kept))
        remove_abandoned.cache_clear()
        with working_folder("one-") as mine, working_folder("two-"):
            remove_abandoned.cache_clear()
            with working_folder("three-"):
                assert Path(mine).is_dir()
            assert all(one.is_dir() for one in kept)
            assert not any(one.exists() for one in left)
    finally:
        _end(living, kill=False)
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    "name",
    [
        "mirrorkeeper-notes",
        "mirrorkeeper-one-0123456789abcde",
        "Mirrorkeeper-one-0123456789abcdef",
        "one-0123456789abcdef",
    ],
)
def test_folders_of_other_names_stay(temporary: Path, name: str) -> None:
    (temporary / name).mkdir(0o700)
    remove_abandoned(temporary)
    assert (temporary / name).is_dir()


def test_what_is_open_to_others_or_no_folder_stays(temporary: Path) -> None:
    names = [f"mirrorkeeper-one-{at:016x}" for at in range(3)]
    (temporary / names[0]).mkdir(0o755)
    (temporary / names[1]).symlink_to(temporary / names[0])
    (temporary / names[2]).write_text("", encoding="utf-8")
    remove_abandoned(temporary)
    assert sorted(one.name for one in temporary.iterdir()) == names


def test_a_folder_that_another_process_takes_before_it_is_locked_is_made_anew(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, taken = os.open, list[Path]()

    def steal(path: Path, flags: int) -> int:
        descriptor = opened(path, flags)
        if not taken:
            taken.append(path)
            path.rmdir()
        return descriptor

    monkeypatch.setattr(os, "open", steal)
    with working_folder("one-") as name:
        assert Path(name).is_dir()
        assert taken
        assert taken != [Path(name)]
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("named", ["relative", "/nowhere/at/all"])
def test_a_place_that_is_none_is_left_to_the_system(monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    monkeypatch.setenv("TMPDIR", named)
    monkeypatch.setattr("tempfile.tempdir", None)
    with working_folder("one-") as name:
        assert Path(name).is_absolute()
        assert Path(name).is_dir()
