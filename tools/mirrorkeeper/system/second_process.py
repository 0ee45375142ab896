"""A part of a computation in a second process, forked from this one: Python computes on one core at a time."""

from __future__ import annotations

import marshal
import os
import signal
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

from .signals import held_signals

_DEFAULTS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


def has_second_core() -> bool:
    """Return whether a second process would be of use, on a system where a fork is harmless."""
    return sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1


class SecondProcess:
    """A function that a second process runs; its result is plain data: numbers, texts, bytes, tuples, lists.

    The function may read files and compute. It starts nothing, imports nothing and writes nothing: after a fork, what
    another thread of this process held stays held.
    """

    def __init__(self, work: Callable[[], Any]) -> None:
        """Start it; `stop` has to be called in any case."""
        self._reading, writing = os.pipe()
        with held_signals(), warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads, see above
            self._process = os.fork()
            if self._process == 0:
                _answer(work, writing)
        os.close(writing)

    def result(self) -> Any:
        """Wait for the result; None when there is none, whatever the reason: the caller then does the work itself."""
        with open(self._reading, "rb", closefd=False) as answer:
            content = answer.read()
        _, status = os.waitpid(self._process, 0)
        self._process = 0
        return marshal.loads(content) if status == 0 else None  # noqa: S302 - from our own process

    def stop(self) -> None:
        """End it, if it has not ended."""
        os.close(self._reading)
        if self._process:
            with suppress(ProcessLookupError):
                os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
            self._process = 0


def _answer(work: Callable[[], Any], writing: int) -> NoReturn:
    status = 1
    try:
        for number in _DEFAULTS:
            signal.signal(number, signal.SIG_DFL)
        with open(writing, "wb") as answer:
            marshal.dump(work(), answer)
        status = 0
    finally:
        os._exit(status)
