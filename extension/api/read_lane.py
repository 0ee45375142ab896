"""Lane of reads: a bucket of tokens, and the queue of those that wait for one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from adapter.clock import Clock
from extension.api.fair_queue import FairQueue
from extension.api.token_bucket import TokenBucket
from extension.engine.shielded_tasks import first_of


@dataclass(frozen=True, slots=True)
class Allowance:
    """Limits of a lane: seconds of refill that it saves and owes, longest wait, most reads that wait and are under way.

    A read is charged when it ends, so that without the last limit a second of slow reads were admitted before the first
    of them has cost anything.

    `shares_time` counts a moment once, however many reads of the lane are under way in it. The reads of a page come
    together and each lasts as long as all of them: by their own times they would pay for one another.
    """

    burst_seconds: float
    debt_seconds: float
    wait_seconds: float
    most_waiting: int
    most_waiting_of_one: int
    most_under_way: int
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
        self._ended = asyncio.Event()
        self._shared = 0.0
        self._shared_at = clock.monotonic()

    def is_full(self, caller: str) -> bool:
        """Return whether one more read of this caller would be refused."""
        return bool(self._queue) and self._queue.is_full(caller)

    @asynccontextmanager
    async def turn(self, caller: str) -> AsyncIterator[bool]:
        """Wait for a turn, and charge the time of the block; false, and nothing, when the read is refused."""
        admitted = await self._admitted(caller)
        began = self._advance(0)
        try:
            yield admitted
        finally:
            if admitted:
                self._bucket.charge(self._advance(-1) - began)
                self._ended.set()

    @property
    def retry_after(self) -> float:
        """Seconds until a read that comes now would get its turn."""
        return self._bucket.delay + len(self._queue) / self._rate

    async def _admitted(self, caller: str) -> bool:
        """Take a token and a place among the reads under way, or wait; false when too many wait, or for too long."""
        if not self._queue and self._begin():
            return True
        turn = self._queue.add(caller, self._clock.monotonic())
        if turn is None:
            return False
        if self._serving is None or self._serving.done():
            self._serving = asyncio.create_task(self._serve())
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.result():
                self._advance(-1)
                self._ended.set()
            raise

    def _begin(self) -> bool:
        if self._under_way >= self._allowance.most_under_way or not self._bucket.take():
            return False
        self._advance(1)
        return True

    def _admit(self) -> None:
        """Give the reads that wait their turn, as far as there are tokens and places."""
        self._queue.drop(self._clock.monotonic() - self._allowance.wait_seconds)
        while self._queue and self._begin():
            self._queue.pop().set_result(True)

    def _advance(self, change: int) -> float:
        """Bring the lane's own time up to now, note a read that began or ended, and return that time."""
        now = self._clock.monotonic()
        divisor = max(1, self._under_way) if self._allowance.shares_time else 1
        self._shared += (now - self._shared_at) / divisor
        self._shared_at = now
        self._under_way += change
        return self._shared

    async def _serve(self) -> None:
        """Admit reads as tokens come, and refuse those that have waited too long."""
        wait = self._allowance.wait_seconds
        while True:
            self._admit()
            if not self._queue:
                return
            self._ended.clear()
            pause = asyncio.ensure_future(self._clock.sleep(min(self._bucket.delay or wait / 4, wait / 4)))
            await first_of(pause, self._ended)
