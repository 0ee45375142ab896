"""Workers: the items of an agenda being worked on, as many at once as it hands out."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from extension.engine.runs.work_queue import WorkQueue

T = TypeVar("T")


async def work_through(work_queue: WorkQueue[T], work: Callable[[T], Awaitable[None]]) -> None:
    """Do the work for every item that the agenda hands out, and return when all of it is done.

    The first failure cancels what is in flight and is raised, in a group; so does cancelling cancel all of it.
    """

    async def one(item: T) -> None:
        try:
            await work(item)
        finally:
            work_queue.done(item)

    async with asyncio.TaskGroup() as group:
        while (item := await work_queue.take()) is not None:
            group.create_task(one(item))
