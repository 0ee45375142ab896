"""A call that several callers share, each of whom wants an answer that is not older than the question."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

from adapter.clock import Clock

T = TypeVar("T")

LONGEST_PAUSE: Final = 2.0
"""Most seconds between two calls."""


class SharedCall(Generic[T]):
    """One call at a time: who comes while it is under way shares the next one, which begins when it has ended.

    However many ask, two calls at most are wanted at any moment. A call that nobody waits for any more is canceled.
    Between two calls lies a pause as long as the first, so that a crowd takes half of the time of what is called.
    """

    def __init__(self, call: Callable[[], Awaitable[T]], clock: Clock) -> None:
        self._call = call
        self._clock = clock
        self._free_at = clock.monotonic()
        self._under_way: asyncio.Task[T] | None = None
        self._next: asyncio.Task[T] | None = None
        self._waiting: dict[asyncio.Task[T], int] = {}

    async def __call__(self) -> T:
        """Return the result of a call that began after this question; raises what the call raises."""
        if self._next is None:
            self._next = asyncio.create_task(self._after(self._under_way))
        task = self._next
        self._waiting[task] = self._waiting.get(task, 0) + 1
        try:
            return await asyncio.shield(task)
        finally:
            self._leave(task)

    async def _after(self, before: "asyncio.Task[T] | None") -> T:
        if before is not None:
            await asyncio.wait({before})
        pause = self._free_at - self._clock.monotonic()
        if pause > 0:
            await self._clock.sleep(pause)
        self._under_way, self._next = self._next, None
        began = self._clock.monotonic()
        try:
            return await self._call()
        finally:
            now = self._clock.monotonic()
            self._free_at = now + min(now - began, LONGEST_PAUSE)

    def _leave(self, task: "asyncio.Task[T]") -> None:
        self._waiting[task] -= 1
        if self._waiting[task]:
            return
        del self._waiting[task]
        task.cancel()
        if self._under_way is task:
            self._under_way = None
        if self._next is task:
            self._next = None
