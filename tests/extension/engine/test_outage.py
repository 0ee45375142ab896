import asyncio
from random import Random

import pytest

from adapter.clock import FakeClock
from adapter.fake import FakeGateway
from adapter.port import errors
from extension.engine.outage import PATIENCE_SECONDS, Outage, backoff
from tests.extension.engine.scenario import FlyingClock

AWAY = errors.Unavailable("It restarts.")


@pytest.mark.parametrize(("attempt", "longest"), [(1, 0.5), (2, 1.0), (5, 8.0), (20, 30.0)])
def test_pauses_double_up_to_half_a_minute_and_up_to_half_of_each_is_chance(attempt: int, longest: float) -> None:
    pauses = [backoff(attempt, Random(seed)) for seed in range(50)]
    assert all(longest / 2 <= pause <= longest for pause in pauses)
    assert len(set(pauses)) > 40


async def test_however_many_wait_one_of_them_asks() -> None:
    gateway, clock = FakeGateway(), FakeClock()
    outage = Outage(gateway, clock, Random(7))
    waiting = [asyncio.ensure_future(outage.wait_until_over(AWAY)) for _ in range(20)]
    await clock.sleeping()
    assert clock.sleepers == 1
    await clock.advance(1)
    await asyncio.gather(*waiting)


async def test_what_is_no_outage_is_raised_at_once() -> None:
    refused = errors.Unauthorised("Our key is refused.")
    with pytest.raises(errors.Unauthorised):
        await Outage(FakeGateway(), FakeClock(), Random(7)).wait_until_over(refused)


async def test_patience_ends() -> None:
    gateway, clock = FakeGateway(), FlyingClock()
    gateway.fail("describe", *[AWAY] * 100)
    with pytest.raises(errors.Unavailable):
        await Outage(gateway, clock, Random(7)).wait_until_over(AWAY)
    assert clock.monotonic() >= PATIENCE_SECONDS
