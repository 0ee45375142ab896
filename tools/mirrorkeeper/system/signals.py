"""Signals that end a command, as an exception: locks, folders and started commands are left in order."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType

_HEEDED = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_AT_ONCE = (signal.SIG_DFL, signal.default_int_handler)


class EndedError(BaseException):
    """The process received a signal to end; like an interruption by hand, only the command line handles it."""

    def __init__(self, number: int) -> None:
        """Take the signal's number."""
        super().__init__(number)
        self.name = signal.Signals(number).name
        self.status = 128 + number


class _Attention:
    """Signal handlers of this process; signals are the process's, so there is one of these."""

    def __init__(self) -> None:
        self.first: Callable[[], None] = lambda: None
        self._held = 0
        self._waiting: int | None = None

    def answer(self, number: int, _frame: FrameType | None) -> None:
        if self._held:
            self._waiting = number
        else:
            self.first()
            raise KeyboardInterrupt if number == signal.SIGINT else EndedError(number)

    @contextmanager
    def hold(self) -> Iterator[None]:
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1
            number, self._waiting = self._waiting, None
            if number is not None:
                self.answer(number, None)


_ATTENTION = _Attention()


def heed(first: Callable[[], None]) -> None:
    """Turn the signals that would end this process at once into exceptions; those that are ignored stay ignored.

    `first` is called before the exception is raised, wherever this process is: it must neither wait nor fail.
    """
    _ATTENTION.first = first
    for number in _HEEDED:
        if signal.getsignal(number) in _AT_ONCE:
            signal.signal(number, _ATTENTION.answer)


def held_signals() -> AbstractContextManager[None]:
    """Let signals wait until the end of a few steps that belong together."""
    return _ATTENTION.hold()
