from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from collections.abc import Callable

from tests.tools.mirrorkeeper.repositories import Fork, Upstream
from tools.mirrorkeeper.progress import PATIENCE, Silent, TerminalProgress, progress_on


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


class Time:
    """Time that passes when it is told to; what was asked for later happens then."""

    def __init__(self) -> None:
        self.now = 0.0
        self._waiting: list[tuple[float, Callable[[], None]]] = []

    def clock(self) -> float:
        return self.now

    def later(self, seconds: float, act: Callable[[], None]) -> None:
        self._waiting.append((self.now + seconds, act))

    def passes(self, seconds: float) -> None:
        self.now += seconds
        due = [act for at, act in self._waiting if at <= self.now]
        self._waiting = [(at, act) for at, act in self._waiting if at > self.now]
        for act in due:
            act()


def progress() -> tuple[TerminalProgress, Terminal, Time]:
    terminal, time = Terminal(), Time()
    return TerminalProgress(terminal, time.clock, time.later), terminal, time


def test_a_command_that_ends_at_once_shows_nothing() -> None:
    shown, terminal, time = progress()
    shown.step("fetching")
    time.passes(PATIENCE / 2)
    shown.step("writing")
    assert list(shown.count("abc", 3)) == ["a", "b", "c"]
    shown.end()
    time.passes(10)

    assert terminal.getvalue() == ""


def test_a_step_that_waits_for_another_process_is_shown_while_it_waits() -> None:
    shown, terminal, time = progress()
    shown.step("fetching")
    time.passes(PATIENCE)

    assert terminal.getvalue() == "\r\x1b[Kfetching"


def test_items_are_counted_ten_times_a_second_and_the_line_is_gone_in_the_end() -> None:
    shown, terminal, time = progress()
    time.passes(1)
    shown.step("writing")
    for _ in shown.count(range(100), 100):
        time.passes(0.011)
    shown.end()

    parts = terminal.getvalue().split("\r\x1b[K")[1:]
    assert (parts[0], parts[1], parts[-1]) == ("writing", "writing 10/100", "")
    assert len(parts) == 2 + 10
    shown.end()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_only_a_terminal_that_can_overwrite_a_line_shows_progress() -> None:
    able = {"TERM": "xterm"}
    assert isinstance(progress_on(Terminal(), able), TerminalProgress)
    unable = [(io.StringIO(), able), (Terminal(), {"TERM": "dumb"}), (Terminal(), {**able, "CI": "1"})]
    for stream, environment in unable:
        assert type(progress_on(stream, environment)) is Silent


def test_a_synchronization_on_a_terminal_leaves_nothing_but_its_lines(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"README.md": b"newer\n"}, tag="v1.1.0")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "tools", "-C", str(fork.root), "mirror", "sync", "v1.1.0"]
    environment = {**os.environ, "TERM": "xterm"} | {"CI": ""}
    with subprocess.Popen(command, stderr=theirs, stdout=subprocess.PIPE, env=environment) as process:
        os.close(theirs)
        said = b""
        while part := _read(ours):
            said += part
        assert process.wait() == 0
    os.close(ours)

    *_, line = said.decode().rstrip().split("\x1b[K")
    assert line.startswith("brought the mirror to v1.1.0")


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4_096)
    except OSError:  # the other end of a pseudo-terminal is closed
        return b""
