"""Work that goes on when whoever asked for it goes away, such as a browser that closes in the middle of a write."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class ShieldedTasks:
    """Keeps hold of work until it is done."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do the work and return what it returns; cancelling the waiting does not cancel the work."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Wait until everything is done."""
        if self._tasks:
            await asyncio.wait(tuple(self._tasks))

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            # Asked for, so that a failure whose waiter has gone is not reported as never retrieved.
            task.exception()
