import asyncio

import pytest

from adapter.port import UsageBatch, errors
from adapter.rules.queue_drain import QueueDrain
from tests.contract.fake_stage import used


class Queue:
    """Hands out what it has; answers wait until they may go, and fail when they are told to."""

    def __init__(self, count: int) -> None:
        self.left = count
        self.pops = 0
        self.go = asyncio.Event()
        self.failure: errors.GatewayError | None = None

    async def pop(self, limit: int) -> UsageBatch:
        self.pops += 1
        taken = min(limit, self.left)
        self.left -= taken
        await self.go.wait()
        if self.failure is not None:
            raise self.failure
        return UsageBatch((used("index", "provider"),) * taken, self.pops, gap=True)


async def test_two_who_pop_at_once_never_get_the_same_record() -> None:
    queue = Queue(3)
    queue.go.set()
    queue_drain = QueueDrain(queue.pop)
    first, second = await asyncio.gather(queue_drain.take(2), queue_drain.take(2))
    assert (len(first.records), len(second.records), queue.pops) == (2, 1, 2)


async def test_what_a_cancelled_pop_brought_comes_in_parts_of_the_size_asked_for_and_its_gap_once() -> None:
    queue = Queue(3)
    queue_drain = QueueDrain(queue.pop)
    waiter = asyncio.create_task(queue_drain.take(5))
    await asyncio.sleep(0)
    waiter.cancel()
    await asyncio.wait([waiter])
    queue.go.set()
    taken = [await queue_drain.take(2) for _ in range(2)]
    assert [(len(batch.records), batch.gap) for batch in taken] == [(2, True), (1, False)]
    assert queue.pops == 1


async def test_after_a_pop_that_failed_the_next_one_pops_anew() -> None:
    queue = Queue(1)
    queue.go.set()
    queue.failure = errors.Unavailable("it is away")
    queue_drain = QueueDrain(queue.pop)
    with pytest.raises(errors.Unavailable):
        await queue_drain.take(1)
    queue.failure = None
    assert (await queue_drain.take(1)).records == ()
    assert queue.pops == 2


async def test_after_a_pop_that_broke_in_a_way_nobody_foresaw_the_next_one_pops_anew() -> None:
    pops = 0

    async def pop(limit: int) -> UsageBatch:
        nonlocal pops
        pops += 1
        if pops == 1:
            raise KeyError(limit)
        return UsageBatch((), pops, gap=False)

    queue_drain = QueueDrain(pop)
    with pytest.raises(KeyError):
        await queue_drain.take(1)
    assert (await queue_drain.take(1)).popped_at == 2
