"""Runs of schedules that a person starts."""

from dataclasses import replace

import pytest

from adapter.clock import FakeClock
from adapter.fake import FakeGateway
from extension.engine.errors import ScheduleUnknown
from extension.engine.inspector import Inspector
from extension.store.runs.schedules import Plan
from tests.extension.engine.scenario import compat_config, run_number

HOURLY = Plan("hourly", True, 60, 0, {"accountSource": "api_key", "workers": 3, "retries": 0})


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def gateway() -> FakeGateway:
    return FakeGateway(compat_config(["alpha", "beta"]))


async def test_a_person_starts_a_run_of_a_schedule_whose_next_time_stays(
    inspector: Inspector, clock: FakeClock
) -> None:
    saved = await inspector.schedules.save(replace(HOURLY, enabled=False), "anna")
    run = await inspector.schedules.start(saved.id, "ben")
    assert (run.started_by, run.schedule_id, run.settings["workers"]) == ("ben", saved.id, 3)
    (schedule,) = await inspector.schedules.all()
    assert (schedule.last_run, schedule.last_at, schedule.next_at) == (run.id, clock.now_ms(), saved.next_at)
    with pytest.raises(ScheduleUnknown):
        await inspector.schedules.start(saved.id + 1, "ben")


async def test_a_schedule_saved_as_due_runs_after_that_of_another(inspector: Inspector, clock: FakeClock) -> None:
    first = await inspector.schedules.save(HOURLY, "anna")
    await inspector.schedules.start(first.id, "anna")
    await inspector.schedules.save(replace(HOURLY, name="second"), "anna", is_due=True)
    await run_number(inspector, 1)
    await clock.sleeping()
    await clock.advance(60)
    await run_number(inspector, 2)
    assert [schedule.last_run for schedule in await inspector.schedules.all()] == [1, 2]
