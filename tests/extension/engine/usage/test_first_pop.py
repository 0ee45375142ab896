"""A service that is killed while it takes its very first records."""

import asyncio
from pathlib import Path

import pytest

from adapter.port import Capability
from extension.engine.usage.collector import RetryPauses
from extension.engine.usage.coverage import GapKind
from extension.store.data_folder import DataFolder
from tests.extension.engine.usage.stage import WITHOUT_SUBSCRIPTION, CollectorStage, closed


@pytest.mark.parametrize("recording", [True, False], ids=["recording", "no longer recording"])
@pytest.mark.parametrize("capabilities", [frozenset(Capability), WITHOUT_SUBSCRIPTION], ids=["subscription", "queue"])
async def test_records_that_a_killed_service_took_first_of_all_are_within_a_gap(
    tmp_path: Path, capabilities: frozenset[Capability], recording: bool
) -> None:
    with DataFolder.open(tmp_path / "data") as folder:
        stage = CollectorStage(folder, capabilities)
        made = stage.clock.now_ms()
        stage.spend(3)
        stage.gateway.usage.switch(on=recording)
        await stage.clock.advance(2)
        stage.gateway.usage.lose_answer()
        collector = await stage.open()
        await stage.until(lambda: bool(collector.status.problem))
        assert collector._task is not None
        collector._task.cancel()
        await asyncio.wait([collector._task])
        await stage.database.close()

        again = await stage.open()
        await stage.until(lambda: again.status.recording is recording and again.status.covered_until > made)
        (gap,) = await stage.gaps()
        await closed(stage, again)

    assert gap.kind == GapKind.STOPPED
    assert gap.start_at <= made <= gap.end_at


def test_a_pause_doubles_up_to_a_limit_and_begins_anew_after_a_try_that_lasted() -> None:
    pauses = RetryPauses()

    assert [pauses.after() for _ in range(7)] == [0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 15.0]
    assert pauses.after(lasted_ms=60_000) == 0.5
    assert pauses.after(lasted_ms=10) == 1.0
