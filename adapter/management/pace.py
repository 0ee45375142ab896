"""How many calls may be in flight: as many as leave the gateway room for the traffic it is there for."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from adapter.clock import Clock

MOST: Final = 64
"""Most calls in flight towards any gateway."""
MOST_EXPENSIVE: Final = 2
"""Most calls in flight towards one whose calls are expensive: with one other request and a measurement, fewer than a
ban takes."""
_START: Final = 16
_SAMPLE_EVERY: Final = 2.0
_WORSE: Final = 1.4
_BETTER: Final = 1.15
_SLACK: Final = 0.01


def next_limit(limit: int, most: int, idle: float, now: float) -> int:
    """The next limit of calls in flight, from what a call that does nothing takes when idle and takes now (seconds).

    It grows by one while such a call takes hardly longer than when idle, and is halved when it takes much longer.
    """
    if now > idle * _WORSE + _SLACK:
        return max(1, limit // 2)
    if now <= idle * _BETTER + _SLACK:
        return min(most, limit + max(1, limit // 8))
    return limit


class Pace:
    """Lets calls through, and every two seconds of use measures what a call that does nothing takes meanwhile."""

    def __init__(self, clock: Clock, measure: Callable[[], Awaitable[float]]) -> None:
        self._clock = clock
        self._measure = measure
        self._limit = 1
        self._most = 1
        self._idle = 0.0
        self._flying = 0
        self._changed = asyncio.Condition()
        self._sampled = 0.0
        self._sampling: asyncio.Task[None] | None = None

    @property
    def limit(self) -> int:
        """How many calls may be in flight now."""
        return self._limit

    def start(self, idle: float, *, expensive: bool) -> None:
        """Take what a call costs when nothing else happens; before, calls go one by one."""
        self._idle = idle
        self._most = MOST_EXPENSIVE if expensive else MOST
        self._limit = 1 if expensive else _START
        self._sampled = self._clock.monotonic()

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Wait until there is room, and hold it. The waiting is nobody's latency."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._flying < self._limit)
            self._flying += 1
        try:
            self._sample()
            yield
        finally:
            self._flying -= 1
            async with self._changed:
                self._changed.notify_all()

    async def close(self) -> None:
        """Stop measuring."""
        if self._sampling is not None:
            self._sampling.cancel()
            await asyncio.gather(self._sampling, return_exceptions=True)

    def _sample(self) -> None:
        running = self._sampling is not None and not self._sampling.done()
        if running or self._clock.monotonic() - self._sampled < _SAMPLE_EVERY or not self._idle:
            return
        self._sampled = self._clock.monotonic()
        self._sampling = asyncio.create_task(self._adapt())

    async def _adapt(self) -> None:
        self._limit = next_limit(self._limit, self._most, self._idle, await self._measure())
        async with self._changed:
            self._changed.notify_all()
