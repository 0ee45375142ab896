"""Work queue with per-host limits, and the concurrent processing of its items."""

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable
from typing import Generic, TypeVar

T = TypeVar("T")


class WorkQueue(Generic[T]):
    """Hands out items in order, at most `allowed` at a time and at most `host_limit` of one host (0: no such limit).

    With a host limit the hosts take turns, so that a slow one does not keep the others waiting. One task takes; anyone
    may say that an item is done, pause, go on, close, or change `allowed`.
    """

    def __init__(
        self, items: Iterable[T], *, allowed: int, host_of: Callable[[T], str] | None = None, host_limit: int = 0
    ) -> None:
        self._host_of = host_of if host_of is not None and host_limit else lambda _: ""
        self._host_limit = host_limit
        self._hosts: dict[str, deque[T]] = {}
        for item in items:
            self._hosts.setdefault(self._host_of(item), deque()).append(item)
        self._turns = deque(self._hosts)
        self._busy: Counter[str] = Counter()
        self._in_flight = 0
        self._allowed = allowed
        self._paused = False
        self._changed = asyncio.Event()

    async def take(self) -> T | None:
        """Return the next item as soon as the limits allow it, or None when there is none left."""
        while self._turns or self._paused:
            host = None if self._paused or self._in_flight >= self._allowed else self._free_host()
            if host is not None:
                return self._handed_out(host)
            self._changed.clear()
            await self._changed.wait()
        return None

    def done(self, item: T) -> None:
        """Make room for the next."""
        self._in_flight -= 1
        self._busy[self._host_of(item)] -= 1
        self._changed.set()

    def allow(self, limit: int) -> None:
        """Change how many may be in flight."""
        self._allowed = limit
        self._changed.set()

    def pause(self) -> None:
        """Hand nothing out until `resume_work`, or the end."""
        self._paused = True

    def resume_work(self) -> None:
        """Hand out again."""
        self._paused = False
        self._changed.set()

    def close(self) -> None:
        """Drop the items that have not been handed out."""
        self._turns.clear()
        self.resume_work()

    def _free_host(self) -> str | None:
        for _ in range(len(self._turns)):
            host = self._turns[0]
            if not self._host_limit or self._busy[host] < self._host_limit:
                return host
            self._turns.rotate(-1)
        return None

    def _handed_out(self, host: str) -> T:
        item = self._hosts[host].popleft()
        self._turns.popleft()
        if self._hosts[host]:
            self._turns.append(host)
        self._in_flight += 1
        self._busy[host] += 1
        return item


async def work_through(work_queue: WorkQueue[T], work: Callable[[T], Awaitable[None]]) -> None:
    """Process every item of the queue, and return when all are done.

    The first failure cancels the items in progress and is raised in a group; canceling the caller cancels them, too.
    """

    async def one(item: T) -> None:
        try:
            await work(item)
        finally:
            work_queue.done(item)

    async with asyncio.TaskGroup() as group:
        while (item := await work_queue.take()) is not None:
            group.create_task(one(item))
