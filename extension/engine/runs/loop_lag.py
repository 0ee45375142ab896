"""Lag of our own event loop, so that our own delay is never taken for a provider's.

Theory of operation: a timer that is due every `STEP_SECONDS` measures how late the loop calls it. The sum of the delays
between two moments is at most what a request in between waited for us: the answer lay ready, or the timeout ran,
while the loop did something else.
"""

import asyncio
from typing import Final, Self

STEP_SECONDS: Final = 0.05
TOLERATED_SECONDS: Final = 0.02
"""Delay that a timer has without any load, which is no lag. A loop that is a little later has a little lag: with the
whole of it, a request that began within the delay would get more than its own time."""


class LoopLag:
    """Measurement of the loop's lag, as a context manager."""

    def __init__(self, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self._loop = loop or asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0
        self._behind = 0.0

    def __enter__(self) -> Self:
        self._next()
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    @property
    def seconds(self) -> float:
        """Seconds that the loop was late since the beginning, a delay that is under way included."""
        return self._behind + self._late()

    def _late(self) -> float:
        late = self._loop.time() - self._due if self._timer is not None else 0.0
        return max(0.0, late - TOLERATED_SECONDS)

    def _tick(self) -> None:
        self._behind += self._late()
        self._next()

    def _next(self) -> None:
        self._due = self._loop.time() + STEP_SECONDS
        self._timer = self._loop.call_later(STEP_SECONDS, self._tick)
