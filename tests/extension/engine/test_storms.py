"""Storms: what goes wrong for many at once, with the number of writes that may follow."""

from pathlib import Path
from typing import Any

import pytest

from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.port import Answer, errors
from extension.inspection.probes.controls import MARK
from extension.inspection.settings import InspectionSettings, parse_settings
from extension.store.run_state import RunState
from tests.extension.engine.scenario import (
    HEALTHY,
    INVALID,
    FlyingClock,
    all_events,
    ended,
    fleet,
    inspected,
    newest_actions,
    opened,
    settings,
)
from tests.extension.engine.test_store_failures import execute


def automatic(**parts: Any) -> InspectionSettings:
    return settings(**{"autoActionMode": "disable", "workers": 4, **parts})


async def test_a_429_for_every_key_of_a_host_writes_nothing(tmp_path: Path) -> None:
    gateway = FakeGateway(fleet({"calm": 30, "stormy": 50}))
    gateway.upstream = lambda request: reply(429) if "stormy" in request.url else HEALTHY
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, automatic())
        holds = await inspector.history.held(run.id)
        assert (run.state, run.verdicts) == (RunState.FINISHED, {"healthy": 30, "rate_limited": 50})
        assert (len(holds), await newest_actions(inspector)) == (50, ())
        assert {(hold.code, hold.params["probes"]) for hold in holds} == {("no_success", 50)}
        assert all("none of the 50 accounts" in hold.text for hold in holds)
    assert sum(gateway.writes.values()) == 0


async def test_a_provider_that_goes_down_half_way_writes_nothing_for_it_and_the_rest_as_usual(tmp_path: Path) -> None:
    gateway = FakeGateway(fleet({"falling": 100, "calm": 40}))
    requests = 0

    def upstream(request: UpstreamRequest) -> object:
        nonlocal requests
        if "calm" in request.url:
            return reply(401) if "-0007-" in request.header["x-api-key"] else HEALTHY
        requests += 1
        return HEALTHY if requests <= 50 else reply(503)

    gateway.upstream = upstream  # type: ignore[assignment] # the answer is always a reply
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, automatic())
        (action,) = await newest_actions(inspector)
        assert len(await inspector.history.held(run.id)) == 50
        assert "401" in action.reason.text
    assert gateway.writes == {"claude-api-key": 1}


async def test_a_gateway_that_restarts_in_mid_run_yields_no_wrong_verdict(tmp_path: Path) -> None:
    gateway = FakeGateway(fleet({"calm": 60}))
    away = errors.Unavailable("The gateway restarts.")

    def upstream(request: UpstreamRequest) -> object:
        if "-0020-" in request.header["x-api-key"] and not gateway._failures["call"] and len(gateway.calls) < 30:
            gateway.fail("call", away, away, away)
            gateway.fail("describe", away, away, away, away)
        return HEALTHY

    gateway.upstream = upstream  # type: ignore[assignment] # the answer is always a reply
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, automatic())
        assert (run.state, run.verdicts) == (RunState.FINISHED, {"healthy": 60})
    assert not gateway.writes


async def test_a_disk_that_fills_up_stops_the_run_with_the_reason_and_loses_nothing(tmp_path: Path) -> None:
    gateway = FakeGateway(fleet({"refusing": 40}))
    writes_at_the_end = 0

    def upstream(request: UpstreamRequest) -> object:
        if "-0015-" in request.header["x-api-key"]:
            execute(tmp_path, "CREATE TRIGGER r BEFORE INSERT ON results BEGIN SELECT RAISE(ABORT, 'disk full'); END")
            execute(tmp_path, "CREATE TRIGGER a BEFORE INSERT ON actions BEGIN SELECT RAISE(ABORT, 'disk full'); END")
        return reply(401)

    gateway.upstream = upstream  # type: ignore[assignment] # the answer is always a reply
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, automatic(workers=1, brake=False))
        assert run.state is RunState.FAILED
        assert "disk full" in run.reason.text
        landed = await inspector.history.results(run.id)
        assert len(landed) == run.done == 15
        writes_at_the_end = sum(gateway.writes.values())
        made = await newest_actions(inspector)
        assert len(made) <= 15
        execute(tmp_path, "DROP TRIGGER r")
        execute(tmp_path, "DROP TRIGGER a")
        assert sum(gateway.writes.values()) == writes_at_the_end
        gateway.upstream = lambda _: reply(401)
        await inspector.runs.resume(run.id)
        again = await ended(inspector, run.id)
        assert (again.state, again.done) == (RunState.FINISHED, 40)
        made = await newest_actions(inspector)
        assert len({action.account_id for action in made}) == len(made) == 40


async def test_a_control_taken_before_a_wall_disables_nobody(tmp_path: Path) -> None:
    """The control of the first refusal is a minute old when the changes are written: by then a wall stands."""
    clock = FlyingClock()
    gateway = FakeGateway(fleet({"refusing": 40}), clock=clock)
    odd, wall, controls = "-0003-", False, 0

    async def upstream(request: UpstreamRequest) -> Answer:
        nonlocal wall, controls
        await clock.advance(0.02)
        key = request.header["x-api-key"]
        if MARK in key:
            controls += 1
        elif "-0039-" in key:
            wall = True
            return HEALTHY
        refused = reply(403, '{"error":{"type":"policy","message":"not from here"}}')
        if wall or odd in key:
            return refused
        return reply(401) if MARK in key else HEALTHY

    gateway.upstream = upstream
    chosen = parse_settings({"accountSource": "api_key", "autoActionMode": "disable", "workers": 1})
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        run = await inspected(inspector, chosen)
        (hold,) = await inspector.history.held(run.id)
        assert (run.verdicts, await newest_actions(inspector)) == ({"healthy": 39, "forbidden": 1}, ())
        assert (hold.code, controls) == ("witness_failed", 1)


HOSTS = {"north": 30, "south": 30}
BAD = ("sk-ant-north-0017-", "sk-ant-south-0003-")
HOUR = 3600.0


@pytest.mark.parametrize("jump", [HOUR, -24 * HOUR])
async def test_a_run_comes_to_the_same_end_when_the_clock_jumps(tmp_path: Path, jump: float) -> None:
    clock, keys = FlyingClock(), list[str]()

    async def upstream(request: UpstreamRequest) -> Answer:
        key = request.header["x-api-key"]
        keys.append(key)
        await clock.advance(0.02)
        if len(keys) == 25:
            clock.jump(jump)
        return INVALID if MARK in key or key.startswith(BAD) else HEALTHY

    gateway = FakeGateway(fleet(HOSTS), clock=clock)
    gateway.upstream = upstream
    chosen = parse_settings({"accountSource": "api_key", "autoActionMode": "disable", "workers": 4})
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        for number in (1, 2):
            run = await inspected(inspector, chosen)
            assert (run.id, run.state, run.done) == (number, RunState.FINISHED, 60)
        assert [run_record.id for run_record in await inspector.runs.recent()] == [2, 1]
        sequence = [event.seq for event in await all_events(inspector)]
        assert sequence == sorted(sequence)

    entries = gateway.state.document["claude-api-key"]
    off = {entry["api-key"] for entry in entries if "*" in entry.get("excluded-models", ())}
    assert sorted(off) == sorted(key for key in set(keys) if key.startswith(BAD))
    assert len(off) == 2
