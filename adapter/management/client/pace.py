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
_WORSE: Final = 1.3
_BETTER: Final = 1.15
_SLACK: Final = 0.005
_CAUTION: Final = 20.0


def is_worse(idle: float, now: float) -> bool:
    """Whether a call that does nothing takes much longer now than when idle (seconds), so that others notice us."""
    return now > idle * _WORSE + _SLACK


def next_limit(limit: int, most: int, idle: float, now: float) -> int:
    """The next limit of calls in flight, from what a call that does nothing takes when idle and takes now (seconds).

    It grows by one while such a call takes hardly longer than when idle, and is halved when it takes much longer.
    """
    if is_worse(idle, now):
        return max(1, limit // 2)
    if now <= idle * _BETTER + _SLACK:
        return min(most, limit + max(1, limit // 8))
    return limit


class CallLimit:
    """Lets calls through, and every two seconds of use measures what a call that does nothing takes meanwhile.

    When others notice us, fewer go at once for a while before more are tried again; when they notice even one at a
    time, the gateway gets as long a rest between two as a call costs it.
    """

    def __init__(self, clock: Clock, measure: Callable[[], Awaitable[float]]) -> None:
        self._clock = clock
        self._measure = measure
        self._limit = 1
        self._most = 1
        self._idle = 0.0
        self._flying = 0
        self._rest = 0.0
        self._next = 0.0
        self._careful_until = 0.0
        self._changed = asyncio.Condition()
        self._sampled = 0.0
        self._sampling: asyncio.Task[None] | None = None

    @property
    def limit(self) -> int:
        """How many calls may be in flight now."""
        return self._limit

    @property
    def rest(self) -> float:
        """Seconds the gateway is left alone between two calls now."""
        return self._rest

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
            await self._clock.sleep(self._next - self._clock.monotonic())
            self._sample()
            yield
        finally:
            self._flying -= 1
            self._next = self._clock.monotonic() + self._rest if self._rest else 0.0
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
        now, at = await self._measure(), self._clock.monotonic()
        if is_worse(self._idle, now):
            self._rest = self._idle if self._limit == 1 else 0.0
            self._limit = next_limit(self._limit, self._most, self._idle, now)
            self._careful_until = at + _CAUTION
        elif at >= self._careful_until and self._rest:
            self._rest = 0.0
        elif at >= self._careful_until:
            self._limit = next_limit(self._limit, self._most, self._idle, now)
        async with self._changed:
            self._changed.notify_all()
