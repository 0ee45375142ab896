"""Real processes of `mirror sync --refresh`, killed at many moments."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.mirror.sync.test_crash import copy_of
from tests.tools.mirrorkeeper.patch.test_interrupted import ready_fork, state, states
from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents
from tools.mirrorkeeper.cli import main

pytestmark = pytest.mark.slow

TRIES = 50


def start(fork: Fork) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tools", "-C", str(fork.root), "mirror", "sync", "v1.2.0", "--refresh"]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)


def settle(fork: Fork) -> None:
    """Let the next command settle what is left, once the last child of the killed process has let go of its lock."""
    for _ in range(TRIES):
        if main(["-C", str(fork.root), "mirror", "sync", "--abort"]) == 0:
            return
        threading.Event().wait(0.1)
    pytest.fail("nothing was settled")


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "moments", [pytest.param(5, id="reduced"), pytest.param(24, id="long", marks=pytest.mark.soak)]
)
def test_a_process_killed_at_any_moment_leaves_the_old_or_the_new_whole(
    fork: Fork, upstream: Upstream, tmp_path: Path, moments: int
) -> None:
    ready = ready_fork(fork, upstream)
    old, new = states(ready, tmp_path)
    measured = copy_of(ready, tmp_path / "measured")
    begun = time.monotonic()
    with start(measured) as process:
        assert process.wait() == 0
    whole = time.monotonic() - begun
    for moment in range(moments):
        fork = copy_of(ready, tmp_path / f"moment-{moment}")
        own = fork.root / "ours.txt"
        own.write_bytes(b"a person's own\n")
        with start(fork) as process:
            try:
                process.wait(whole * (0.3 + 0.7 * moment / moments))
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)

        settle(fork)
        assert state(fork) in (old, new), f"a mixture after {moment} of {moments} moments"
        assert fork.codes() == []
        assert own.read_bytes() == b"a person's own\n"
        assert contents(fork.root / "patches").keys() == old[1].keys()
