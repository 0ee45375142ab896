from __future__ import annotations

import os
import pty
import signal
import subprocess

import pytest

from tests.tools.mirrorkeeper.recheck.stand_in import PROGRAM, Tree

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
# The stand-in counts the signals it gets until the sleeper beside it ends, and says so.
COUNTING = """
exec 2>/dev/null
count=0
trap 'count=$((count + 1)); echo "got {name}"' {name}
trap 'echo "$count in all"; kill $sleeper; exit 5' USR1
sleep 60 & sleeper=$!
echo "ready $$"
while kill -0 $sleeper; do wait $sleeper; done
"""


@pytest.mark.parametrize("status", [1, 2, 3, 130, 255])
def test_the_status_of_the_command_is_that_of_the_program(tree: Tree, status: int) -> None:
    tree.tell(("tree", tree.root), more=f"exit {status}")

    assert tree.ask().status == status
    assert tree.records == []


@pytest.mark.parametrize("name", ["KILL", "TERM", "SEGV", "PIPE"])
def test_a_command_that_a_signal_ends_ends_the_program_alike(tree: Tree, name: str) -> None:
    tree.tell(("tree", tree.root), more=f"kill -{name} $$")

    assert tree.ask().status == -getattr(signal, f"SIG{name}")
    assert tree.records == []


def test_standard_streams_are_those_of_the_command(tree: Tree) -> None:
    tree.tell(("tree", tree.root), more="cat; echo said >&2; exit 1")
    command = [tree.programs / PROGRAM]
    done = subprocess.run(command, cwd=tree.root, env=tree.environment(), input=b"in", capture_output=True, check=False)

    assert (done.stdout, done.stderr) == (b"ran: mirror verify\nin", b"said\n")


@pytest.mark.parametrize("name", ["INT", "TERM", "HUP"])
def test_a_signal_to_the_program_alone_reaches_the_command(tree: Tree, name: str) -> None:
    tree.tell(("tree", tree.root), more=COUNTING.format(name=name))
    command = [tree.programs / PROGRAM]
    with subprocess.Popen(command, cwd=tree.root, env=tree.environment(), stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline().startswith("ran")
        child = int(running.stdout.readline().split()[1])
        running.send_signal(getattr(signal, f"SIG{name}"))
        assert running.stdout.readline() == f"got {name}\n"
        os.kill(child, signal.SIGUSR1)
        assert running.stdout.readline() == "1 in all\n"
    assert running.returncode == 5
    assert tree.records == []


def test_an_interruption_by_the_terminal_reaches_the_command_once(tree: Tree) -> None:
    tree.tell(("tree", tree.root), more=COUNTING.format(name="INT"))
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(tree.root)
        os.execve(tree.programs / PROGRAM, [PROGRAM], tree.environment())  # noqa: S606 - the child of a fork becomes it
    with os.fdopen(terminal, "r+b", buffering=0) as screen:
        child = int(line_with(screen.fileno(), b"ready").split()[1])
        screen.write(b"\x03")
        line_with(screen.fileno(), b"got INT")
        os.kill(child, signal.SIGUSR1)
        assert line_with(screen.fileno(), b"in all") == b"1 in all"
        assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 5  # a closed terminal would be another signal


def line_with(terminal: int, text: bytes) -> bytes:
    """Read the screen until a whole line with a text has come, and return it."""
    seen = b""
    while True:
        seen += os.read(terminal, 1)
        if seen.endswith(b"\n"):
            if text in seen:
                return seen.strip()
            seen = b""


def test_signals_that_are_ignored_stay_ignored(tree: Tree) -> None:
    tree.tell(("tree", tree.root), more="kill -HUP $PPID; kill -HUP $$; exit 6")
    command = ["nohup", str(tree.programs / PROGRAM)]
    done = subprocess.run(command, cwd=tree.root, env=tree.environment(), capture_output=True, check=False)

    assert done.returncode == 6


def test_a_status_is_passed_on_where_ends_of_children_are_ignored(tree: Tree) -> None:
    tree.tell(("tree", tree.root), more="exit 6")
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        running = os.posix_spawn(tree.programs / PROGRAM, [PROGRAM], tree.environment())
    finally:
        signal.signal(signal.SIGCHLD, before)

    assert os.waitstatus_to_exitcode(os.waitpid(running, 0)[1]) == 6


@pytest.mark.parametrize("mode", ["wb", "rb"], ids=["full", "not for writing"])
def test_an_answer_that_cannot_be_written_is_left_to_the_command(tree: Tree, mode: str) -> None:
    tree.answered()
    tree.tell(("tree", tree.root), more="exit 6")
    with open("/dev/full" if mode == "wb" else "/dev/null", mode) as output:  # noqa: PTH123 - devices
        done = subprocess.run(
            [tree.programs / PROGRAM], cwd=tree.root, env=tree.environment(), stdout=output, check=False
        )

    assert done.returncode == 6


def test_a_missing_command_is_an_error_with_the_next_step(tree: Tree) -> None:
    command = tree.programs / "mirrorkeeper"
    command.unlink()
    done = subprocess.run(
        [tree.programs / PROGRAM], env=tree.environment(), capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        f"error: {command} cannot be run: No such file or directory (os error 2)",
        "help: install mirrorkeeper again, so that both commands lie in one folder",
    ]


@pytest.mark.parametrize("cache", ["", "cache"])
def test_a_command_that_is_no_program_is_an_error(tree: Tree, cache: str) -> None:
    (tree.programs / "mirrorkeeper").chmod(0o644)
    place = str(tree.told / cache) if cache else ""
    environment = tree.environment(MIRROR_CACHE=place)
    done = subprocess.run([tree.programs / PROGRAM], env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert "cannot be run: Permission denied" in done.stderr
    assert not cache or list((tree.told / cache / "verified").iterdir()) == []


def test_an_environment_without_a_place_for_records_is_no_error(tree: Tree) -> None:
    tree.tell(("tree", tree.root), more="exit 0")
    environment = {name: value for name, value in tree.environment().items() if name != "MIRROR_CACHE"}
    for _ in range(2):
        done = subprocess.run(
            [tree.programs / PROGRAM], cwd=tree.root, env=environment, capture_output=True, check=False
        )
        assert (done.returncode, done.stdout) == (0, b"ran: mirror verify\n")
