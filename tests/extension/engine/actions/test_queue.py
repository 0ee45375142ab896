import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.clock import FakeClock
from extension.engine.actions.queue import ActionQueue
from extension.engine.actions.requests import ActionRequest


def orders(numbers: Sequence[int]) -> list[ActionRequest]:
    return [ActionRequest(number, "disable") for number in numbers]


class Gateway:
    """Carries batches out, one turn each, and keeps them."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.failure: Exception | None = None

    async def carry_out(self, batch: Sequence[ActionRequest]) -> None:
        await asyncio.sleep(0)
        if self.failure is not None:
            raise self.failure
        self.batches.append([order.account_id for order in batch])


async def test_everything_that_waits_is_one_batch() -> None:
    gateway = Gateway()
    async with ActionQueue(gateway.carry_out, FakeClock()) as queue:
        for number in range(500):
            queue.put(orders([number]))
        await queue.drain()
    assert gateway.batches == [list(range(500))]


@given(st.lists(st.lists(st.integers(0, 9), max_size=5), max_size=12))
def test_no_account_passes_twice_and_none_is_forgotten(puts: list[list[int]]) -> None:
    gateway = Gateway()

    async def through() -> None:
        async with ActionQueue(gateway.carry_out, FakeClock()) as queue:
            for numbers in puts:
                queue.put(orders(numbers))
                await asyncio.sleep(0)
            await queue.drain()

    asyncio.run(through())
    passed = [number for batch in gateway.batches for number in batch]
    assert sorted(passed) == sorted({number for numbers in puts for number in numbers})


async def test_leaving_discards_what_has_not_been_started() -> None:
    gateway = Gateway()
    async with ActionQueue(gateway.carry_out, FakeClock()) as queue:
        queue.put(orders([1]))
    assert gateway.batches == []


async def test_after_a_failure_nothing_is_started_and_whoever_puts_or_drains_gets_it() -> None:
    gateway = Gateway()
    async with ActionQueue(gateway.carry_out, FakeClock()) as queue:
        gateway.failure = RuntimeError("disk full")
        queue.put(orders([1]))
        with pytest.raises(RuntimeError, match="disk full"):
            await queue.drain()
        gateway.failure = None
        with pytest.raises(RuntimeError, match="disk full"):
            queue.put(orders([2]))
    assert gateway.batches == []


async def test_a_paused_queue_starts_no_batch_until_it_goes_on() -> None:
    gateway = Gateway()
    async with ActionQueue(gateway.carry_out, FakeClock()) as queue:
        queue.pause()
        queue.put(orders([1]))
        for _ in range(5):
            await asyncio.sleep(0)
        assert gateway.batches == []
        queue.put(orders([2]))
        queue.resume_work()
        await queue.drain()
    assert gateway.batches == [[1, 2]]


class SlowGateway(Gateway):
    """Every batch takes ten seconds."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__()
        self._clock = clock

    async def carry_out(self, batch: Sequence[ActionRequest]) -> None:
        await self._clock.advance(10)
        await super().carry_out(batch)


async def test_after_a_batch_the_queue_rests_nine_times_as_long_as_it_took() -> None:
    clock = FakeClock()
    gateway = SlowGateway(clock)
    async with ActionQueue(gateway.carry_out, clock) as queue:
        queue.put(orders([1]))
        await clock.sleeping()
        queue.put(orders([2]))
        queue.put(orders([3]))
        await clock.advance(89)
        assert gateway.batches == [[1]]
        await clock.advance(1)
        await queue.drain()
    assert gateway.batches == [[1], [2, 3]]


async def test_the_first_batch_waits_for_company_where_reading_the_pool_takes_long() -> None:
    clock = FakeClock()
    gateway = Gateway()
    async with ActionQueue(gateway.carry_out, clock, reading_seconds=2) as queue:
        queue.put(orders([1]))
        await clock.advance(53)
        queue.put(orders([2]))
        assert gateway.batches == []
        await clock.advance(1)
        await queue.drain()
    assert gateway.batches == [[1, 2]]


async def test_the_end_of_a_run_does_not_wait_for_company() -> None:
    clock = FakeClock()
    gateway = Gateway()
    async with ActionQueue(gateway.carry_out, clock, reading_seconds=2) as queue:
        queue.put(orders([1]))
        await clock.sleeping()
        await queue.drain()
        assert (gateway.batches, clock.monotonic()) == ([[1]], 0)


async def test_nothing_rests_any_more_once_somebody_waits_for_the_end() -> None:
    clock = FakeClock()
    gateway = SlowGateway(clock)
    async with ActionQueue(gateway.carry_out, clock) as queue:
        queue.put(orders([1]))
        await clock.sleeping()
        queue.put(orders([2]))
        await queue.drain()
        assert gateway.batches == [[1], [2]]
        assert clock.monotonic() == 20
