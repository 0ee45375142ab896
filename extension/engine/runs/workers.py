"""Workers: concurrent processing of the items of a work queue."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from extension.engine.runs.work_queue import WorkQueue

T = TypeVar("T")


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
