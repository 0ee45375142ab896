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


class Gateway:
    """A gateway that is busy while one of our calls is in flight; each takes a fifth of a second."""

    def __init__(self) -> None:
        self.busy = 0

    async def worked(self, pace: CallLimit, clock: FakeClock, workers: int = 1) -> None:
        """Call for a second, then wait for the calls in flight."""
        until = clock.monotonic() + 1
        working = asyncio.gather(*(self._work(pace, clock, until) for _ in range(workers)))
        while not working.done():
            for _ in range(20):
                await asyncio.sleep(0)
            await clock.advance(0.025)

    async def _work(self, pace: CallLimit, clock: FakeClock, until: float) -> None:
        while clock.monotonic() < until:
            async with pace.slot():
                self.busy += 1
                await clock.sleep(0.2)
                self.busy -= 1


async def _hold(pace: CallLimit) -> None:
    async with pace.slot():
        pass


async def test_after_others_noticed_us_more_is_tried_again_only_after_a_while_and_even_one_leaves_room() -> None:
    clock = FakeClock()
    takes = 0.2

    async def measure() -> float:
        return takes if gateway.busy else 0.07

    async def sampled() -> tuple[int, float]:
        await clock.advance(2)
        await gateway.worked(pace, clock)
        return pace.limit, pace.rest

    gateway = Gateway()
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
        return 0.2 if gateway.busy else 0.07

    gateway = Gateway()
    pace = CallLimit(clock, measure)
    pace.start(0.07, expensive=True)
    await clock.advance(2)
    await gateway.worked(pace, clock)
    await clock.advance(1)
    async with pace.slot():
        pass
    waiting = asyncio.create_task(_hold(pace))
    await clock.sleeping()
    assert not waiting.done()
    await clock.advance(0.07)
    await waiting
    await pace.close()


async def test_latency_that_stays_without_our_calls_is_no_reason_to_slow_down() -> None:
    clock = FakeClock()

    async def measure() -> float:
        return 0.050

    gateway = Gateway()
    pace = CallLimit(clock, measure)
    pace.start(0.001, expensive=False)
    for _ in range(4):
        await clock.advance(2)
        await gateway.worked(pace, clock, 16)
    await pace.close()
    assert (pace.limit > 16, pace.rest) == (True, 0.0)


async def test_latency_that_our_calls_add_to_that_of_others_halves_the_limit() -> None:
    clock = FakeClock()

    async def measure() -> float:
        return 0.200 if gateway.busy else 0.050

    gateway = Gateway()
    pace = CallLimit(clock, measure)
    pace.start(0.001, expensive=False)
    await clock.advance(2)
    await gateway.worked(pace, clock, 16)
    await pace.close()
    assert pace.limit == 8


async def test_a_single_late_call_is_no_reason_to_slow_down() -> None:
    clock = FakeClock()
    taken = iter([0.300, *[0.001] * 1_000])

    async def measure() -> float:
        return next(taken)

    gateway = Gateway()
    pace = CallLimit(clock, measure)
    pace.start(0.001, expensive=False)
    await clock.advance(2)
    await gateway.worked(pace, clock, 16)
    await pace.close()
    assert pace.limit == 18


async def test_a_difference_that_shows_once_is_no_reason_to_slow_down() -> None:
    clock = FakeClock()
    taken = iter([*[0.020] * 5, *[0.001] * 5, *[0.300] * 5, *[0.015] * 5, *[0.001] * 1_000])

    async def measure() -> float:
        return next(taken)

    gateway = Gateway()
    pace = CallLimit(clock, measure)
    pace.start(0.001, expensive=False)
    await clock.advance(2)
    await gateway.worked(pace, clock, 16)
    await pace.close()
    assert pace.limit == 18


async def test_a_measurement_that_fails_lets_the_calls_go_on() -> None:
    clock = FakeClock()
    taken = iter([0.3] * 5)

    async def measure() -> float:
        return next(taken)

    gateway = Gateway()
    pace = CallLimit(clock, measure)
    pace.start(0.001, expensive=False)
    await clock.advance(2)
    await gateway.worked(pace, clock)
    await asyncio.wait_for(_hold(pace), 1)
    await pace.close()
