from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tools.mirrorkeeper.system.children import Children
from tools.mirrorkeeper.system.signals import EndedError, heed, held_signals

DEAF = "import signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); sys.stdin.read()"


def waiting(script: str = "import sys; print('there', flush=True); sys.stdin.read()") -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def started(children: Children, script: str) -> subprocess.Popen[bytes]:
    process = children.start(lambda: waiting(script))
    assert process.stdout is not None
    process.stdout.readline()
    return process


@pytest.fixture
def children() -> Iterator[Children]:
    """Signals that end what was started, as in a command; afterwards they do what they did."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    made = Children()
    heed(made.ask_to_end)
    yield made
    heed(lambda: None)
    for number, answer in kept.items():
        signal.signal(number, answer)


def test_a_signal_is_an_exception_after_everything_started_was_asked_to_end(children: Children) -> None:
    process = children.start(waiting)
    with process, pytest.raises(EndedError) as caught:
        os.kill(os.getpid(), signal.SIGTERM)

    assert (caught.value.name, caught.value.status) == ("SIGTERM", 143)
    assert process.returncode == -signal.SIGTERM


def test_a_signal_that_comes_while_something_is_started_waits_until_it_can_be_ended(children: Children) -> None:
    made: list[subprocess.Popen[bytes]] = []

    def make() -> subprocess.Popen[bytes]:
        made.append(waiting())
        os.kill(os.getpid(), signal.SIGINT)
        return made[0]

    with pytest.raises(KeyboardInterrupt):
        children.start(make)
    with made[0] as process:
        assert process.wait() == -signal.SIGTERM


def test_held_signals_wait_for_the_outermost_end(children: Children) -> None:
    assert children is not None
    reached = []

    def told_to_end() -> None:
        with held_signals():
            with held_signals():
                os.kill(os.getpid(), signal.SIGHUP)
            reached.append("inner end")

    with pytest.raises(EndedError):
        told_to_end()
    assert reached == ["inner end"]


def test_what_does_not_end_when_asked_is_killed() -> None:
    children = Children(patience=0.05)
    with started(children, DEAF) as process:
        children.end()

    assert process.returncode == -signal.SIGKILL
