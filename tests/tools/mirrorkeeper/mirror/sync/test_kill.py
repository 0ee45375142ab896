"""Real processes, killed, interrupted, out of space, two at once."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents
from tools.mirrorkeeper.mirror.workspace.pending import recover_pending
from tools.mirrorkeeper.project import Project

pytestmark = pytest.mark.slow

# Stops at one operation of the disk, says so, and waits there for what the test does to it.
SCRIPT = """
import pathlib, resource, select, sys
from tools.mirrorkeeper.system.children import CHILDREN
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.system.files import DiskFiles
from tools.mirrorkeeper.system.signals import heed
root, operation, part, limit = sys.argv[1:]
real = getattr(DiskFiles, operation)

def wait():
    print("there", flush=True)
    # Not one long read: a signal that comes right before it would not be answered until it returns.
    while not select.select([sys.stdin], [], [], 0.05)[0]:
        pass

def stopping(self, *arguments, **options):
    before = part.startswith("before ")
    meant = part.partition(" ")[2] in str(arguments[:2])
    if meant and before:
        wait()
    result = real(self, *arguments, **options)
    if meant and not before:
        wait()
    return result

if part:
    setattr(DiskFiles, operation, stopping)
if int(limit):
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
heed(CHILDREN.ask_to_end)
sys.exit(main(["-C", root, "mirror", "sync", "v1.1.0"]))
"""

PHASES = {
    "nothing but the lock": ("make_folder", "after .gateway.sync"),
    "the new tree half written": ("write", "before docs/a.md"),
    "the new tree whole": ("rename", "before journal.json"),
    "the journal written": ("rename", "after journal.json"),
    "about to switch": ("exchange", "before gateway"),
    "switched": ("exchange", "after gateway"),
    "staged, the lock not in place": ("rename", "before upstream.lock"),
    "the lock in place": ("rename", "after upstream.lock"),
}


@pytest.fixture
def ready(fork: Fork, upstream: Upstream) -> Fork:
    """A project at v1.0.0 whose upstream has a v1.1.0 with more and less."""
    upstream.commit({"README.md": b"newer\n", "docs/a.md": b"a" * 5_000, "run.sh": None}, tag="v1.1.0")
    return fork


def start(fork: Fork, operation: str = "write", part: str = "", limit: int = 0) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", SCRIPT, str(fork.root), operation, part, str(limit)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def states(fork: Fork, tmp_path: Path) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """What the mirror and its lock are before and after."""
    shutil.copytree(fork.root, tmp_path / "whole", symlinks=True)
    whole = Fork(Project.at(tmp_path / "whole"))
    whole.sync("v1.1.0")
    return contents(fork.root / "mirror"), contents(whole.root / "mirror")


def settle(fork: Fork) -> dict[str, bytes]:
    """Let the next command settle what is left, and answer what the mirror is then."""
    recover_pending(fork.project, fork.said.append)
    assert fork.codes() == []
    return contents(fork.root / "mirror")


@pytest.mark.parametrize("phase", list(PHASES))
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM])
def test_a_synchronization_killed_in_any_phase_leaves_the_old_or_the_new_mirror(
    ready: Fork, tmp_path: Path, phase: str, sign: signal.Signals
) -> None:
    old, new = states(ready, tmp_path)
    with start(ready, *PHASES[phase]) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "there\n", process.communicate()
        process.send_signal(sign)
        assert process.wait() == (-sign if sign is signal.SIGKILL else 128 + sign)

    switched = list(PHASES).index(phase) >= list(PHASES).index("switched")
    mirrored = contents(ready.mirror)
    whole = {name.removeprefix("gateway/"): text for name, text in (new if switched else old).items()}
    assert mirrored == {name: text for name, text in whole.items() if not name.startswith("upstream.")}
    assert settle(ready) == (new if switched else old)
    said = [line for line in ready.said if "interrupted" in line]
    journal = phase in list(PHASES)[3:]
    assert bool(said) == journal


@pytest.mark.parametrize(
    ("sign", "status", "text"),
    [
        (signal.SIGINT, 130, "interrupted"),
        (signal.SIGTERM, 143, "ended by SIGTERM"),
        (signal.SIGHUP, 129, "ended by SIGHUP"),
    ],
)
def test_a_synchronization_that_is_told_to_end_says_so_and_the_next_command_settles_it(
    ready: Fork, tmp_path: Path, sign: signal.Signals, status: int, text: str
) -> None:
    old, _ = states(ready, tmp_path)
    with start(ready, *PHASES["about to switch"]) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "there\n"
        process.send_signal(sign)
        _, said = process.communicate()

    assert process.returncode == status
    assert f"error: {text}\nhelp: the next mirror command" in said
    assert settle(ready) == old


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_what_is_told_to_end_while_a_server_is_silent_ends_what_it_started_too(
    fork: Fork, sign: signal.Signals
) -> None:
    old = contents(fork.root)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"git://127.0.0.1:{server.getsockname()[1]}/upstream"
        command = [sys.executable, "-m", "tools", "-C", str(fork.root), "mirror", "sync", "v9", "--source", address]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stderr=pipe, start_new_session=True, text=True) as process:
            connection, _ = server.accept()
            with connection:
                process.send_signal(sign)
                _, said = process.communicate()

    assert process.returncode == 128 + sign
    assert "help: the next mirror command settles" in said
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
    assert contents(fork.root) == old
    assert not fork.transaction.exists()


def test_a_disk_that_takes_no_more_bytes_leaves_the_old_mirror_and_one_clear_line(ready: Fork, tmp_path: Path) -> None:
    old, _ = states(ready, tmp_path)
    with start(ready, limit=2_000) as process:
        _, said = process.communicate()

    assert process.returncode == 2
    assert said.startswith("error: ")
    assert settle(ready) == old


def test_of_two_synchronizations_at_once_one_does_it_and_the_other_says_who_is_at_work(
    ready: Fork, tmp_path: Path
) -> None:
    _, new = states(ready, tmp_path)
    with start(ready, *PHASES["about to switch"]) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "there\n"
        with start(ready) as second:
            _, said = second.communicate()
        assert (second.returncode, f"process {first.pid}" in said) == (2, True)
        first.communicate(input="")

    assert first.returncode == 0
    assert settle(ready) == new
