"""Workers: bounded concurrency over a list of things to do."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


async def work_through(items: Iterable[T], work: Callable[[T], Awaitable[None]], limit: int) -> None:
    """Do the work for every item in order, at most `limit` at once; an item is taken when a worker is free.

    The first failure cancels what is in flight and is raised, in a group; so does cancelling cancel all of it.
    """
    remaining = iter(items)
    async with asyncio.TaskGroup() as group:
        for _ in range(limit):
            group.create_task(_worker(remaining, work))


async def _worker(remaining: Iterator[T], work: Callable[[T], Awaitable[None]]) -> None:
    for item in remaining:
        await work(item)
