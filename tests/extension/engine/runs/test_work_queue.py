import asyncio
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.engine.runs.work_queue import WorkQueue, work_through


def host_of(item: str) -> str:
    return item[0]


@given(st.lists(st.sampled_from("abc"), max_size=30), st.integers(1, 8), st.integers(1, 4))
def test_every_item_is_handed_out_once_within_both_limits(hosts: list[str], allowed: int, host_limit: int) -> None:
    items = [f"{host}{number}" for number, host in enumerate(hosts)]
    done: list[str] = []
    busy: Counter[str] = Counter()

    async def work(item: str) -> None:
        busy[host_of(item)] += 1
        assert busy[host_of(item)] <= host_limit
        assert busy.total() <= allowed
        await asyncio.sleep(0)
        busy[host_of(item)] -= 1
        done.append(item)

    asyncio.run(work_through(WorkQueue(items, allowed=allowed, host_of=host_of, host_limit=host_limit), work))
    assert sorted(done) == sorted(items)


async def test_without_a_host_limit_the_order_is_kept() -> None:
    work_queue = WorkQueue(["b1", "a1", "b2"], allowed=9, host_of=host_of)
    assert [await work_queue.take() for _ in range(4)] == ["b1", "a1", "b2", None]


async def test_a_host_at_its_limit_does_not_keep_the_others_waiting() -> None:
    work_queue = WorkQueue(["a1", "a2", "a3", "b1"], allowed=9, host_of=host_of, host_limit=1)
    assert [await work_queue.take(), await work_queue.take()] == ["a1", "b1"]
    work_queue.done("a1")
    assert await work_queue.take() == "a2"


async def test_a_paused_agenda_hands_nothing_out_and_a_closed_one_nothing_any_more() -> None:
    work_queue = WorkQueue(["a1", "a2"], allowed=9)
    work_queue.pause()
    waiting = asyncio.ensure_future(work_queue.take())
    await asyncio.sleep(0)
    assert not waiting.done()
    work_queue.resume_work()
    assert await waiting == "a1"
    work_queue.close()
    assert await work_queue.take() is None


async def test_a_limit_that_was_raised_lets_the_next_one_through() -> None:
    work_queue = WorkQueue(["a1", "a2"], allowed=1)
    assert await work_queue.take() == "a1"
    waiting = asyncio.ensure_future(work_queue.take())
    await asyncio.sleep(0)
    assert not waiting.done()
    work_queue.allow(2)
    assert await waiting == "a2"


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
