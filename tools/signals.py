"""What ends a command from outside, as an exception: locks, folders and started commands are left in order."""

from __future__ import annotations

import signal
from types import FrameType

_HEEDED = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class EndedError(BaseException):
    """The process was told to end; like an interruption by hand, nobody but the command line answers it."""

    def __init__(self, number: int) -> None:
        """Take the signal's number."""
        super().__init__(number)
        self.name = signal.Signals(number).name
        self.status = 128 + number


def heed() -> None:
    """Turn the signals that would end this process at once into `EndedError`; those that are ignored stay ignored."""
    for number in _HEEDED:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, _frame: FrameType | None) -> None:
    raise EndedError(number)
