"""Schedules and a clock that jumps, forward or back."""

from pathlib import Path

import pytest

from adapter.clock import FakeClock
from adapter.fake import FakeGateway
from extension.store.runs.schedules import Plan
from tests.extension.engine.scenario import opened
from tests.extension.engine.test_schedules import HOUR, HOURLY, gateway, run_number

__all__ = ["gateway"]


@pytest.mark.parametrize("jump", [HOUR, 24 * HOUR])
@pytest.mark.parametrize("cron", ["", "0 * * * *"])
async def test_a_clock_that_is_set_back_lets_out_no_run(
    tmp_path: Path, gateway: FakeGateway, jump: float, cron: str
) -> None:
    clock = FakeClock()
    async with opened(tmp_path, gateway, clock=clock) as inspector:
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
    tmp_path: Path, gateway: FakeGateway
) -> None:
    clock = FakeClock()
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        await inspector.schedules.save(HOURLY, "anna")
        await clock.sleeping()
        clock.jump(2 * HOUR)
        await clock.advance(30)
        await run_number(inspector, 1)


@pytest.mark.parametrize("jump", [2 * HOUR, 24 * HOUR])
async def test_a_clock_that_jumps_forward_starts_one_run(tmp_path: Path, gateway: FakeGateway, jump: float) -> None:
    clock = FakeClock()
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        await inspector.schedules.save(HOURLY, "anna")
        await clock.sleeping()
        clock.jump(jump)
        await clock.advance(HOUR)
        await run_number(inspector, 1)
        (schedule,) = await inspector.schedules.all()
        assert len(await inspector.runs.recent()) == 1
        assert 0 < schedule.next_at - clock.now_ms() <= 3_600_000
