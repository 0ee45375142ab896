import asyncio

import pytest

from extension.engine.runs.work_queue import WorkQueue, work_through


async def test_every_item_is_worked_on_once_and_never_more_at_a_time_than_allowed() -> None:
    done: list[int] = []
    busy = most = 0

    async def work(item: int) -> None:
        nonlocal busy, most
        busy += 1
        most = max(most, busy)
        await asyncio.sleep(0)
        busy -= 1
        done.append(item)

    await work_through(WorkQueue(range(50), allowed=7), work)
    assert sorted(done) == list(range(50))
    assert most == 7


async def test_the_first_failure_ends_it_and_is_raised() -> None:
    begun: list[int] = []

    async def work(item: int) -> None:
        begun.append(item)
        await asyncio.sleep(0)
        if item == 3:
            raise ValueError("three")

    with pytest.raises(ExceptionGroup) as caught:
        await work_through(WorkQueue(range(1000), allowed=4), work)
    assert caught.group_contains(ValueError, match="three")
    assert len(begun) < 20


async def test_cancelling_cancels_what_is_in_flight() -> None:
    begun: list[int] = []
    cancelled: list[int] = []
    full = asyncio.Event()

    async def work(item: int) -> None:
        begun.append(item)
        if len(begun) == 3:
            full.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(item)
            raise

    task = asyncio.create_task(work_through(WorkQueue(range(10), allowed=3), work))
    await full.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert begun == [0, 1, 2]
    assert sorted(cancelled) == begun


async def test_nothing_to_do_is_done_at_once() -> None:
    async def work(_: int) -> None:
        raise AssertionError("there is nothing to do")

    await work_through(WorkQueue([], allowed=3), work)
