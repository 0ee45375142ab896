"""Schedules end at any moment: an end that comes while they wake is not lost."""

import asyncio
from pathlib import Path

import pytest

from adapter.clock import FakeClock
from adapter.fake import FakeGateway
from tests.extension.engine.scenario import compat_config, opened
from tests.extension.engine.test_quota_rechecks import DAILY


@pytest.mark.parametrize("turns", range(6))
async def test_schedules_end_in_every_turn_after_they_wake(tmp_path: Path, turns: int) -> None:
    clock = FakeClock()
    async with opened(tmp_path, FakeGateway(compat_config(["alpha"])), clock=clock) as inspector:
        await inspector.schedules.save(DAILY, "anna")
        for _ in range(2):  # The change of the schedules wakes them first.
            await clock.sleeping()
            await turned(10)
        await clock.advance(300)
        await turned(turns)
        await asyncio.wait_for(inspector.schedules.close(), 10)
    assert clock.sleepers == 0


async def turned(turns: int) -> None:
    """Let the event loop turn that often."""
    for _ in range(turns):
        await asyncio.sleep(0)
