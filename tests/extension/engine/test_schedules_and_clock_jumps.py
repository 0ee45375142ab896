"""Schedules and a clock that jumps, forward or back."""

import pytest

from adapter.clock import FakeClock
from extension.engine.inspector import Inspector
from extension.store.runs.schedules import Plan
from tests.extension.engine.test_schedules import HOUR, HOURLY, gateway, run_number

__all__ = ["gateway"]


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.mark.parametrize("jump", [HOUR, 24 * HOUR])
@pytest.mark.parametrize("cron", ["", "0 * * * *"])
async def test_a_clock_that_is_set_back_lets_out_no_run(
    inspector: Inspector, clock: FakeClock, jump: float, cron: str
) -> None:
    await inspector.schedules.save(Plan("hourly", True, 60, 0, HOURLY.settings, cron, "UTC"), "anna")
    for number in (1, 2, 3):
        await clock.sleeping()
        if number == 2:
            clock.jump(-jump)
        await clock.advance(HOUR)
        if number == 2:
            # The jump ended the wait; the next time is counted from the clock as it is now.
            await clock.sleeping()
            await clock.advance(HOUR)
        await run_number(inspector, number)
    assert len(await inspector.runs.recent()) == 3


async def test_a_schedule_that_a_jump_makes_due_starts_within_half_a_minute(
    inspector: Inspector, clock: FakeClock
) -> None:
    await inspector.schedules.save(HOURLY, "anna")
    await clock.sleeping()
    clock.jump(2 * HOUR)
    await clock.advance(30)
    await run_number(inspector, 1)


@pytest.mark.parametrize("jump", [2 * HOUR, 24 * HOUR])
async def test_a_clock_that_jumps_forward_starts_one_run(inspector: Inspector, clock: FakeClock, jump: float) -> None:
    await inspector.schedules.save(HOURLY, "anna")
    await clock.sleeping()
    clock.jump(jump)
    await clock.advance(HOUR)
    await run_number(inspector, 1)
    (schedule,) = await inspector.schedules.all()
    assert len(await inspector.runs.recent()) == 1
    assert 0 < schedule.next_at - clock.now_ms() <= 3_600_000
