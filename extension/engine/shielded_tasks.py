"""Shielded tasks: work that continues when its caller is canceled, such as a write when the browser disconnects."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def first_of(work: "asyncio.Future[Any]", event: asyncio.Event) -> bool:
    """Wait for work, and cancel it when an event is set first; true when the work was done."""
    waiting = asyncio.ensure_future(event.wait())
    try:
        await asyncio.wait({work, waiting}, return_when=asyncio.FIRST_COMPLETED)
        return work.done()
    finally:
        for task in (work, waiting):
            task.cancel()
        await asyncio.wait({work, waiting})


class ShieldedTasks:
    """Set of running tasks that outlive their callers."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do the work and return its result; canceling the caller does not cancel the work."""
        return await asyncio.shield(self.start(work))

    def start(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """Begin the work in the background; a failure is the caller's to record."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    async def close(self) -> None:
        """Wait until everything is done."""
        if self._tasks:
            await asyncio.wait(tuple(self._tasks))

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            # Asked for, so that a failure whose waiter has gone is not reported as never retrieved.
            task.exception()
