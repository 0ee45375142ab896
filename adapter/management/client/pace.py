"""Limit of calls in flight, which leaves the gateway room for its own traffic.

Theory of operation: a call that does nothing is timed while idle, and again every two seconds of use. As long as it
takes hardly longer the limit grows. When it takes much longer, new calls are held back for a moment and it is timed
again: only what vanishes with our calls is caused by them, and a busy machine or other clients are no reason to slow
down. A difference that shows twice halves the limit, because the gateway's own clients wait as long as we do. Where
even one call at a time disturbs them, a rest as long as a call's cost follows each call.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from statistics import median
from typing import Final, Self

from adapter.clock import Clock

_TICK_SECONDS: Final = 0.001


class OwnDelay:
    """Delay of our own event loop, so that a busy loop is never taken for a busy gateway; a context manager.

    A timer that is due every millisecond shows how late the loop was when it last looked for answers, whether it worked
    on something else or the machine gave it no processor. An answer that is seen then came somewhere in that time, in
    the middle of it on average; what the loop did since was all at the cost of the answer.
    """

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
        self._due = time.monotonic() + _TICK_SECONDS
        self._timer = self._loop.call_later(_TICK_SECONDS, self._tick)


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
_TIMES: Final = 5
"""Calls that do nothing in one measurement: a single one is late by chance on a busy machine."""
_VALID: Final = 10.0
"""Seconds for which a measurement without our calls counts."""
_STEP: Final = 0.025
_STEPS_TO_DRAIN: Final = 10
"""Steps in which calls in flight may end before the rest of them counts as waiting for an upstream."""


def is_worse(idle: float, now: float) -> bool:
    """Return whether a call that does nothing takes much longer now than when idle (seconds), as it does for others."""
    return now > idle * _WORSE + _SLACK


def next_limit(limit: int, most: int, idle: float, now: float) -> int:
    """Return the next limit of calls in flight, from the seconds a call that does nothing takes when idle and now.

    It grows by one while such a call takes hardly longer than when idle, and is halved when it takes much longer.
    """
    if is_worse(idle, now):
        return max(1, limit // 2)
    if now <= idle * _BETTER + _SLACK:
        return min(most, limit + max(1, limit // 8))
    return limit


class CallLimit:
    """Adaptive limit of calls in flight, measured every two seconds of use.

    After others were slowed down the limit stays lower for a while before it grows again; when even one call at a time
    slows them down, the gateway rests between two calls for as long as a call costs it. `measure` makes one call that
    does nothing and returns its seconds.
    """

    def __init__(self, clock: Clock, measure: Callable[[], Awaitable[float]]) -> None:
        self._clock = clock
        self._measure = measure
        self.limit = 1
        self._most = 1
        self._idle = 0.0
        self._times = 1
        self._without_us = 0.0
        self._without_us_until = 0.0
        self._paused = False
        self._flying = 0
        self.rest = 0.0
        self._next = 0.0
        self._careful_until = 0.0
        self._changed = asyncio.Condition()
        self._sampled = 0.0
        self._sampling: asyncio.Task[None] | None = None

    def start(self, idle: float, *, expensive: bool) -> None:
        """Take the cost of a call on an idle gateway; before, calls go one by one."""
        self._idle = idle
        self._most = MOST_EXPENSIVE if expensive else MOST
        self.limit = 1 if expensive else _START
        self._times = 1 if expensive else _TIMES
        self._sampled = self._clock.monotonic()

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Wait until there is room, and hold it. The wait is in no call's latency."""
        async with self._changed:
            await self._changed.wait_for(lambda: not self._paused and self._flying < self.limit)
            self._flying += 1
        try:
            await self._clock.sleep(self._next - self._clock.monotonic())
            self._sample()
            yield
        finally:
            self._flying -= 1
            self._next = self._clock.monotonic() + self.rest if self.rest else 0.0
            async with self._changed:
                self._changed.notify_all()

    async def close(self) -> None:
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
        slowed, reference, now = await self._compare()
        at = self._clock.monotonic()
        if slowed:
            self.rest = self._idle if self.limit == 1 else 0.0
            self.limit = next_limit(self.limit, self._most, reference, now)
            self._careful_until = at + _CAUTION
        elif at >= self._careful_until and self.rest:
            self.rest = 0.0
        elif at >= self._careful_until:
            self.limit = next_limit(self.limit, self._most, reference, now)
        async with self._changed:
            self._changed.notify_all()

    async def _compare(self) -> tuple[bool, float, float]:
        """Return whether our calls slow others down, with the seconds of a call without ours and beside them."""
        now, at = await self._timed(), self._clock.monotonic()
        reference = max(self._idle, self._without_us if at < self._without_us_until else 0.0)
        if not is_worse(reference, now):
            return False, reference, now
        reference = max(self._idle, await self._timed_alone())
        if is_worse(reference, now):
            await self._clock.sleep(_STEP * _STEPS_TO_DRAIN)  # until our calls are under way again
            now = min(now, await self._timed())
            reference = max(reference, await self._timed_alone())
        self._without_us, self._without_us_until = reference, at + _VALID
        return is_worse(reference, now), reference, now

    async def _timed(self) -> float:
        return median([await self._measure() for _ in range(self._times)])

    async def _timed_alone(self) -> float:
        """Measure while no call of ours begins, and those in flight have ended or wait for a slow upstream."""
        self._paused = True
        try:
            for _ in range(_STEPS_TO_DRAIN):
                if not self._flying:
                    break
                await self._clock.sleep(_STEP)
            return await self._timed()
        finally:
            self._paused = False
            async with self._changed:
                self._changed.notify_all()
