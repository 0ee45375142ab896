"""Time as a collaborator: code that reads the time or waits takes a clock, so that tests need no real time."""

import asyncio
import heapq
import time
from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Wall time, elapsed time and waiting, as three verbs a test can replace."""

    def now_ms(self) -> int:
        """Wall time in integer milliseconds since 1970-01-01 UTC, the form every stored time has."""

    def monotonic(self) -> float:
        """Seconds on a scale that never goes back; only differences mean anything."""

    async def sleep(self, seconds: float) -> None:
        """Return after `seconds` have passed on the monotonic scale; at once, after one turn of the loop, for <= 0."""


class SystemClock:
    """The machine's own clock."""

    def now_ms(self) -> int:
        """Wall time of the machine, integer milliseconds UTC."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Seconds of the machine's monotonic clock."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait on the event loop."""
        await asyncio.sleep(max(0.0, seconds))


class FakeClock:
    """A clock that stands still until `advance` is called; for tests.

    `now_ms` and `monotonic` move together. Sleepers wake in the order of their due times.
    """

    def __init__(self, now_ms: int = 1_700_000_000_000) -> None:
        self._start_ms = now_ms
        self._elapsed = 0.0
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._count = 0
        self._fell_asleep = asyncio.Event()

    def now_ms(self) -> int:
        """The start time plus everything advanced so far, integer milliseconds UTC."""
        return self._start_ms + round(self._elapsed * 1000)

    def monotonic(self) -> float:
        """Seconds advanced so far."""
        return self._elapsed

    @property
    def sleepers(self) -> int:
        """Number of tasks that wait in `sleep` now."""
        return sum(1 for _, _, waiter in self._sleepers if not waiter.done())

    async def sleeping(self, count: int = 1) -> None:
        """Return as soon as at least `count` tasks wait in `sleep`."""
        while self.sleepers < count:
            self._fell_asleep.clear()
            await self._fell_asleep.wait()

    async def sleep(self, seconds: float) -> None:
        """Wait until `advance` has moved the clock by `seconds`."""
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._count += 1
        heapq.heappush(self._sleepers, (self._elapsed + seconds, self._count, waiter))
        self._fell_asleep.set()
        await waiter

    def jump(self, seconds: float) -> None:
        """Set the wall time forward or back, as a correction of the machine's clock does; nothing else moves."""
        self._start_ms += round(seconds * 1000)

    async def advance(self, seconds: float) -> None:
        """Move time forward and let every sleeper that became due run one turn, earliest first."""
        target = self._elapsed + seconds
        while self._sleepers and self._sleepers[0][0] <= target:
            due, _, waiter = heapq.heappop(self._sleepers)
            self._elapsed = max(self._elapsed, due)
            if not waiter.done():
                waiter.set_result(None)
            await asyncio.sleep(0)
        self._elapsed = target
        await asyncio.sleep(0)


def milliseconds(text: object) -> int | None:
    """A time as a gateway writes it, RFC 3339, in integer milliseconds UTC; None when it is none."""
    if not isinstance(text, str) or not text:
        return None
    try:
        moment = datetime.fromisoformat(_short_fraction(text))
    except ValueError:
        return None
    return None if moment.tzinfo is None or moment.year <= 1 else round(moment.timestamp() * 1000)


def _short_fraction(text: str) -> str:
    """Cut a fraction of nanoseconds to the microseconds Python reads."""
    head, dot, tail = text.partition(".")
    digits = tail[: len(tail) - len(tail.lstrip("0123456789"))]
    return f"{head}{dot}{digits[:6].ljust(6, '0')}{tail[len(digits) :]}" if dot else text
