"""Progress of a long command: one line on a terminal that is overwritten, nothing anywhere else.

Nothing is shown in the first moments, so that a command that ends at once shows nothing at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import Lock, Timer
from typing import TextIO, TypeVar

T = TypeVar("T")

PATIENCE = 0.3
"""Seconds before anything is shown."""
_BETWEEN = 0.1
_CLEAR = "\r\x1b[K"


class Silent:
    """Shows nothing: for pipes, logs and tests."""

    def step(self, text: str) -> None:
        """Begin a step, such as `fetching`."""

    def count(self, items: Iterable[T], total: int) -> Iterator[T]:
        """Yield the items of the current step."""
        del total
        yield from items

    def end(self) -> None:
        """Leave the line as if nothing had been there."""


Later = Callable[[float, Callable[[], None]], None]
"""Does something once, that many seconds from now, unless the process has ended by then."""


class TerminalProgress(Silent):
    """Shows the step, and how many of its items are done, on one line of a terminal."""

    def __init__(self, stream: TextIO, clock: Callable[[], float], later: Later) -> None:
        """Take the terminal and the time; the command begins now."""
        self._stream = stream
        self._clock = clock
        self._next = clock() + PATIENCE
        self._text = ""
        self._shown = False
        self._lock = Lock()
        # A step may wait for another process for long, and has to be seen all the same.
        later(PATIENCE, self._catch_up)

    def step(self, text: str) -> None:
        """Begin a step; shown at once when the command has been at work for a while."""
        self._text = text
        if self._clock() >= self._next:
            self._show(text)

    def count(self, items: Iterable[T], total: int) -> Iterator[T]:
        """Yield the items, and show ten times a second how many are done."""
        for done, item in enumerate(items, 1):
            yield item
            if self._clock() >= self._next:
                self._show(f"{self._text} {done}/{total}")

    def end(self) -> None:
        """Clear the line, if something stands in it; the next step shows itself again."""
        with self._lock:
            self._text = ""
            if self._shown:
                self._stream.write(_CLEAR)
                self._stream.flush()
                self._shown = False

    def _catch_up(self) -> None:
        if self._text and not self._shown:
            self._show(self._text)

    def _show(self, text: str) -> None:
        with self._lock:
            self._stream.write(f"{_CLEAR}{text}")
            self._stream.flush()
            self._shown = True
            self._next = self._clock() + _BETWEEN


def progress_on(stream: TextIO, environment: Mapping[str, str]) -> Silent:
    """Progress for this stream: on a terminal that can overwrite a line, else none."""
    if not stream.isatty() or environment.get("TERM", "dumb") == "dumb" or environment.get("CI"):
        return Silent()
    import time

    return TerminalProgress(stream, time.monotonic, _later)


def _later(seconds: float, act: Callable[[], None]) -> None:
    timer = Timer(seconds, act)
    timer.daemon = True
    timer.start()
