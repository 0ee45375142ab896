"""Delay of our own event loop, so that a busy loop is never taken for a busy gateway.

Theory of operation: a timer that is due every millisecond shows how late the loop was when it last looked for answers,
whether it worked on something else or the machine gave it no processor. An answer that is seen then came somewhere in
that time, in the middle of it on average; what the loop did since was all at the cost of the answer.
"""

import asyncio
import time
from typing import Final, Self

_STEP: Final = 0.001


class OwnDelay:
    """Measurement of that delay, as a context manager; it costs a turn of the loop every millisecond."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0
        self._late = 0.0

    def __enter__(self) -> Self:
        self._next()
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()

    @property
    def seconds(self) -> float:
        """Seconds that an answer that is seen now has waited for us, on average."""
        return self._late / 2 + self._behind()

    def _behind(self) -> float:
        return max(0.0, time.monotonic() - self._due)

    def _tick(self) -> None:
        self._late = self._behind()
        self._next()

    def _next(self) -> None:
        self._due = time.monotonic() + _STEP
        self._timer = self._loop.call_later(_STEP, self._tick)
