import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.clock import FakeClock
from adapter.management.client.pace import MOST, MOST_EXPENSIVE, CallLimit, next_limit


@pytest.mark.parametrize(
    ("limit", "most", "idle", "now", "expected"),
    [
        (1, 3, 0.070, 0.072, 2),
        (2, 3, 0.070, 0.095, 2),
        (2, 3, 0.070, 0.140, 1),
        (3, 3, 0.070, 0.070, 3),
        (16, 64, 0.002, 0.003, 18),
        (16, 64, 0.002, 0.100, 8),
        (1, 64, 0.002, 9.0, 1),
    ],
)
def test_the_limit_follows_what_a_call_that_does_nothing_takes(
    limit: int, most: int, idle: float, now: float, expected: int
) -> None:
    assert next_limit(limit, most, idle, now) == expected


@given(st.integers(1, 64), st.integers(1, 64), st.floats(0.0001, 5), st.floats(0, 60))
def test_the_limit_stays_between_one_and_the_most(limit: int, most: int, idle: float, now: float) -> None:
    assert 1 <= next_limit(min(limit, most), most, idle, now) <= most


async def test_calls_go_one_by_one_before_anything_is_known_and_where_calls_are_expensive() -> None:
    async def measured() -> float:
        return 0.07

    pace = CallLimit(FakeClock(), measured)
    assert pace.limit == 1
    pace.start(0.07, expensive=True)
    assert pace.limit == 1
    assert MOST_EXPENSIVE + 2 < 5 <= MOST


async def test_a_slot_is_waited_for_and_measuring_changes_how_many_there_are() -> None:
    clock = FakeClock()
    measured: list[float] = [0.07]
    done = asyncio.Event()

    async def measure() -> float:
        done.set()
        return measured[-1]

    pace = CallLimit(clock, measure)
    pace.start(0.07, expensive=True)
    async with pace.slot():
        waiting = asyncio.create_task(_hold(pace))
        await asyncio.sleep(0)
        assert not waiting.done()
    await waiting
    await clock.advance(3)
    async with pace.slot():
        await done.wait()
    await asyncio.sleep(0)
    await pace.close()
    assert pace.limit == 2


async def _hold(pace: CallLimit) -> None:
    async with pace.slot():
        pass


async def test_after_others_noticed_us_more_is_tried_again_only_after_a_while_and_even_one_leaves_room() -> None:
    clock = FakeClock()
    takes = 0.2

    async def measure() -> float:
        return takes

    async def sampled() -> tuple[int, float]:
        await clock.advance(2)
        async with pace.slot():
            await asyncio.sleep(0)
        for _ in range(3):
            await asyncio.sleep(0)
        return pace.limit, pace.rest

    pace = CallLimit(clock, measure)
    pace.start(0.07, expensive=True)
    assert await sampled() == (1, 0.07)
    takes = 0.07
    assert await sampled() == (1, 0.07)
    await clock.advance(20)
    assert await sampled() == (1, 0.0)
    assert await sampled() == (2, 0.0)
    takes = 0.2
    assert await sampled() == (1, 0.0)
    takes = 0.07
    assert await sampled() == (1, 0.0)
    await pace.close()


async def test_between_two_calls_the_gateway_gets_its_rest() -> None:
    clock = FakeClock()

    async def measure() -> float:
        return 0.2

    pace = CallLimit(clock, measure)
    pace.start(0.07, expensive=True)
    await clock.advance(2)
    async with pace.slot():
        await asyncio.sleep(0)
    for _ in range(3):
        await asyncio.sleep(0)
    await clock.advance(1)
    async with pace.slot():
        pass
    waiting = asyncio.create_task(_hold(pace))
    await clock.sleeping()
    assert not waiting.done()
    await clock.advance(0.07)
    await waiting
    await pace.close()
