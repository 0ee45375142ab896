"""A call that several callers share, each of whom wants an answer that is not older than the question."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

from adapter.clock import Clock
from extension.engine.shielded_tasks import first_of

T = TypeVar("T")

LONGEST_PAUSE: Final = 2.0
"""Most seconds between two calls for patient callers."""
_LONG: Final = 0.5
"""Pause from which patient callers take the last answer; a shorter one they wait for."""
PAUSE_FACTOR: Final = 3.0
"""Length of that pause in lengths of the call before."""


class SharedCall(Generic[T]):
    """One call at a time: who comes while it is under way shares the next one, which begins when it has ended.

    Any number of callers leads to two calls at most, the present one and the next. A call without callers is canceled.
    Patient callers, such as a crowd of readers, leave a pause between two calls, so that they take a quarter of the
    time of what is called: they wait for a short one, and take the last answer in a long one. One caller in a hurry,
    such as a command, ends the pause for all. A caller that takes an answer of some age shares the call under way, or
    the answer of the last one, if that began no longer ago.
    """

    def __init__(self, call: Callable[[], Awaitable[T]], clock: Clock) -> None:
        self._call = call
        self._clock = clock
        self._free_at = clock.monotonic()
        self._pause = 0.0
        self._hurry = asyncio.Event()
        self._under_way: asyncio.Task[T] | None = None
        self._next: asyncio.Task[T] | None = None
        self._waiting: dict[asyncio.Task[T], int] = {}
        self._began = 0.0
        self._last: tuple[float, T] | None = None

    async def __call__(self, *, patient: bool = False, age: float = 0.0) -> T:
        """Return the result of a call that began after this question, or at most `age` seconds before it.

        It raises what the call raises.
        """
        since = self._clock.monotonic() - age
        if age and self._under_way is not None and self._began >= since:
            return await self._of(self._under_way)
        if age and self._last is not None and self._last[0] >= since:
            return self._last[1]
        if patient and self._last is not None and self._clock.monotonic() < self._free_at and self._pause >= _LONG:
            return self._last[1]
        if not patient:
            self._hurry.set()
        if self._next is None:
            self._next = asyncio.create_task(self._after(self._under_way))
        return await self._of(self._next)

    async def _of(self, task: asyncio.Task[T]) -> T:
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
            await first_of(asyncio.ensure_future(self._clock.sleep(pause)), self._hurry)
        self._hurry.clear()
        self._under_way, self._next = self._next, None
        self._began = began = self._clock.monotonic()
        try:
            result = await self._call()
            self._last = began, result
            return result
        finally:
            now = self._clock.monotonic()
            self._pause = min(PAUSE_FACTOR * (now - began), LONGEST_PAUSE)
            self._free_at = now + self._pause

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
