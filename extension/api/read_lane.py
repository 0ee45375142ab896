"""Lane of reads: a bucket of tokens, and the queue of those that wait for one."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from adapter.clock import Clock
from extension.api.fair_queue import FairQueue
from extension.api.token_bucket import TokenBucket


@dataclass(frozen=True, slots=True)
class Allowance:
    """Limits of a lane: seconds of refill that it saves and owes, longest wait, and most reads that wait.

    `shares_time` counts a moment once, however many reads of the lane are under way in it. The reads of a page come
    together and each lasts as long as all of them: by their own times they would pay for one another.
    """

    burst_seconds: float
    debt_seconds: float
    wait_seconds: float
    most_waiting: int
    most_waiting_of_one: int
    shares_time: bool


class ReadLane:
    """Admits reads at a rate, in turns of their callers."""

    def __init__(self, clock: Clock, rate: float, allowance: Allowance) -> None:
        self._clock = clock
        self._rate = rate
        self._allowance = allowance
        self._bucket = TokenBucket(clock, rate, allowance.burst_seconds, allowance.debt_seconds)
        self._queue = FairQueue(allowance.most_waiting, allowance.most_waiting_of_one)
        self._serving: asyncio.Task[None] | None = None
        self._under_way = 0
        self._shared = 0.0
        self._shared_at = clock.monotonic()

    def is_full(self, caller: str) -> bool:
        """Return whether one more read of this caller would be refused."""
        return bool(self._queue) and self._queue.is_full(caller)

    async def admitted(self, caller: str) -> bool:
        """Take a token, or wait for one; false when too many wait, or for too long."""
        if not self._queue and self._bucket.take():
            return True
        turn = self._queue.add(caller, self._clock.monotonic())
        if turn is None:
            return False
        if self._serving is None or self._serving.done():
            self._serving = asyncio.create_task(self._serve())
        return await turn

    @contextmanager
    def charged(self) -> Iterator[None]:
        """Charge the time of the block."""
        began = self._advance(1)
        try:
            yield
        finally:
            self._bucket.charge(self._advance(-1) - began)

    @property
    def retry_after(self) -> float:
        """Seconds until a read that comes now would get its turn."""
        return self._bucket.delay + len(self._queue) / self._rate

    def _advance(self, change: int) -> float:
        """Bring the lane's own time up to now, note a read that began or ended, and return that time."""
        now = self._clock.monotonic()
        divisor = max(1, self._under_way) if self._allowance.shares_time else 1
        self._shared += (now - self._shared_at) / divisor
        self._shared_at = now
        self._under_way += change
        return self._shared

    async def _serve(self) -> None:
        """Give the reads that wait their turn."""
        wait = self._allowance.wait_seconds
        while True:
            self._queue.drop(self._clock.monotonic() - wait)
            if not self._queue:
                return
            if self._bucket.take():
                self._queue.pop().set_result(True)
            else:
                await self._clock.sleep(min(self._bucket.delay, wait / 4))
