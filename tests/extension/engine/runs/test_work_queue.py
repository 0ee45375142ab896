import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.fake import FakeGateway
from adapter.port import About
from extension.engine.runs.throttle import ProbePace, Throttle, measure
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


def drive(pace: ProbePace, rate: Callable[[int], float], *, lag: float = 0.0, seconds: float = 120.0) -> list[int]:
    """Let probes finish at the rate that so many in flight lead to; return what was allowed after each."""
    now, throttle = 0.0, Throttle(pace, 0.0)
    allowed = [throttle.allowed]
    while now < seconds:
        now += 1 / rate(throttle.allowed)
        allowed.append(throttle.done(now, lag))
    return allowed


def test_a_gateway_that_costs_nothing_is_used_up_to_the_limit_at_once() -> None:
    assert set(drive(ProbePace(32, 0.0), lambda _: 500.0, seconds=5)) == {32}


def test_in_front_of_a_costly_gateway_it_settles_where_the_rate_ends_to_rise() -> None:
    allowed = drive(ProbePace(64, 0.07), lambda busy: 14.0 * min(busy, 4))
    assert allowed[0] == 4
    assert max(allowed) <= 9
    assert sum(allowed[-500:]) / 500 < 6


def test_it_grows_to_the_limit_as_long_as_the_rate_rises() -> None:
    assert drive(ProbePace(64, 0.07), lambda busy: 14.0 * busy, seconds=60)[-1] == 64


@pytest.mark.parametrize("limit", [1, 2, 64, 256])
def test_a_late_loop_shrinks_it_but_never_below_two_or_above_the_limit(limit: int) -> None:
    allowed = drive(ProbePace(limit, 0.0), lambda _: 300.0, lag=0.05, seconds=60)
    assert min(limit, 2) <= min(allowed) <= max(allowed) <= limit
    assert allowed[-1] <= max(2, limit // 4)


def test_a_late_loop_does_not_shrink_it_where_that_costs_rate() -> None:
    allowed = drive(ProbePace(64, 0.0), lambda busy: 10.0 * busy, lag=0.05, seconds=60)
    assert min(allowed) >= 48


class FewConnections(FakeGateway):
    async def describe(self) -> About:
        return replace(await super().describe(), calls_at_once=5)


async def test_no_more_probes_are_in_flight_than_the_gateway_has_connections() -> None:
    pace = await measure(FewConnections("", {}), 256, 1_000)
    assert pace.workers == 5


async def test_without_such_a_limit_the_operators_counts() -> None:
    pace = await measure(FakeGateway("", {}), 256, 1_000)
    assert pace.workers == 256
