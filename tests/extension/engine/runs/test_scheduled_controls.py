"""Controls of runs from schedules: one wrong key to a route in an hour, kept for the moment before the write."""

from dataclasses import replace
from pathlib import Path

import pytest

from adapter.clock import FakeClock
from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.port import Answer
from extension.engine.runs.control_prober import ControlMemory
from extension.inspection.probes.controls import MARK
from extension.inspection.settings import parse_settings
from extension.reasons.codes import HoldCode
from extension.store.runs.schedules import Plan
from tests.extension.engine.runs.test_control_prober import FORBIDDEN, REFUSED, Host, prober, wish
from tests.extension.engine.scenario import fleet, meanwhile, opened
from tests.extension.engine.test_schedules import run_number

HEALTHY = reply(200, '{"type":"message","content":[{"type":"text","text":"pong"}]}')
BAD = "sk-ant-north-0003-"
HOURLY = Plan("hourly", True, 90, 0, {"accountSource": "api_key", "autoActionMode": "disable", "workers": 1})


class World:
    """Providers with one key that is not permitted, and a wall while it stands."""

    def __init__(self, gateway: FakeGateway) -> None:
        self.wall = False
        self.wrong: list[str] = []
        self._gateway = gateway

    async def answer(self, request: UpstreamRequest) -> Answer:
        key = request.header["x-api-key"]
        if MARK in key:
            self.wrong.append(request.url)
            return FORBIDDEN if self.wall else REFUSED
        return FORBIDDEN if key.startswith(BAD) else HEALTHY


def off(gateway: FakeGateway) -> list[str]:
    entries = gateway.state.document["claude-api-key"]
    return [entry["api-key"] for entry in entries if "*" in entry.get("excluded-models", ())]


@pytest.mark.parametrize("wall", [False, True])
async def test_a_schedule_compares_a_refusal_right_before_the_write(tmp_path: Path, wall: bool) -> None:
    clock, gateway = FakeClock(), FakeGateway(fleet({"north": 25}))
    world = World(gateway)
    world.wall = wall
    gateway.upstream = world.answer
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        await inspector.schedules.save(HOURLY, "anna")
        await clock.sleeping()
        await clock.advance(90 * 60)
        await meanwhile(clock, run_number(inspector, 1))
        (run,) = await inspector.runs.recent()
        held = await inspector.history.held(run.id)
    assert len(world.wrong) == 1
    if wall:
        assert (off(gateway), [each.code for each in held]) == ([], [HoldCode.SAME_FOR_ANY_KEY])
    else:
        assert ([key.startswith(BAD) for key in off(gateway)], held) == ([True], ())


async def test_the_hour_of_a_wrong_key_survives_a_restart(tmp_path: Path) -> None:
    gateway = FakeGateway(fleet({"north": 25}))
    world = World(gateway)
    world.wall = True
    gateway.upstream = world.answer
    plan = replace(HOURLY, interval_minutes=40)
    codes = []
    clock = FakeClock()
    for number in (1, 2, 3):
        clock = FakeClock(clock.now_ms())  # Another process: its monotonic time begins anew.
        async with opened(tmp_path, gateway, clock=clock) as inspector:
            if number == 1:
                await inspector.schedules.save(plan, "anna")
            await clock.sleeping()
            await clock.advance(40 * 60)
            await meanwhile(clock, run_number(inspector, number))
            codes += [each.code for each in await inspector.history.held(number)]
    assert codes == [HoldCode.SAME_FOR_ANY_KEY, HoldCode.AWAITING_CONTROL, HoldCode.SAME_FOR_ANY_KEY]
    assert len(world.wrong) == 2


async def test_without_budget_a_change_of_a_schedule_is_on_hold() -> None:
    clock, host, memory = FakeClock(), Host(REFUSED), ControlMemory()
    controls = prober(clock, memory)
    await controls.answer(wish(FORBIDDEN, clock), host.send)
    scheduled = prober(clock, memory, scheduled=True, acts=True)
    assert await scheduled.answer(wish(FORBIDDEN, clock), host.send, (7,)) is None
    assert scheduled.rests_on_control(7)
    assert await scheduled.confirm([7]) == {7: HoldCode.AWAITING_CONTROL}
    await clock.advance(3600)
    assert await scheduled.confirm([7]) == {}
    assert len(host.keys) == 2


async def test_a_run_that_was_resumed_puts_refusals_from_before_on_hold() -> None:
    clock = FakeClock()
    controls = prober(clock)
    controls.resumed_with(7)
    assert controls.rests_on_control(7)
    assert await controls.confirm([7, 8]) == {7: HoldCode.AWAITING_CONTROL}


async def test_the_estimate_counts_the_wrong_keys_of_a_schedule_by_base_url(tmp_path: Path) -> None:
    gateway = FakeGateway(fleet({"north": 25, "south": 5}))
    async with opened(tmp_path, gateway) as inspector:
        cost = await inspector.runs.cost(parse_settings({"accountSource": "api_key", "autoActionMode": "disable"}))
    assert cost.scheduled_controls == 2
    assert cost.controls > cost.scheduled_controls
