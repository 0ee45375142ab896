"""Corrections of the machine's clock in the middle of a run."""

from pathlib import Path

import pytest

from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.port import Answer
from extension.inspection.probes.controls import MARK
from extension.inspection.settings import parse_settings
from extension.store.run_state import RunState
from tests.extension.engine.scenario import FlyingClock, all_events, fleet, inspected, opened

HOSTS = {"north": 30, "south": 30}
BAD = ("sk-ant-north-0017-", "sk-ant-south-0003-")
HEALTHY = reply(200, '{"type":"message","content":[{"type":"text","text":"pong"}]}')
INVALID = reply(401, '{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}')
HOUR = 3600.0


@pytest.mark.parametrize("jump", [HOUR, -24 * HOUR])
async def test_a_run_comes_to_the_same_end_when_the_clock_jumps(tmp_path: Path, jump: float) -> None:
    clock, asked = FlyingClock(), list[str]()

    async def upstream(request: UpstreamRequest) -> Answer:
        key = request.header["x-api-key"]
        asked.append(key)
        await clock.advance(0.02)
        if len(asked) == 25:
            clock.jump(jump)
        return INVALID if MARK in key or key.startswith(BAD) else HEALTHY

    gateway = FakeGateway(fleet(HOSTS), clock=clock)
    gateway.upstream = upstream
    chosen = parse_settings({"accountSource": "api_key", "autoActionMode": "disable", "workers": 4})
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        for number in (1, 2):
            run = await inspected(inspector, chosen)
            assert (run.id, run.state, run.done) == (number, RunState.FINISHED, 60)
        assert [each.id for each in await inspector.runs.recent()] == [2, 1]
        sequence = [event.seq for event in await all_events(inspector)]
        assert sequence == sorted(sequence)

    entries = gateway.state.document["claude-api-key"]
    off = {entry["api-key"] for entry in entries if "*" in entry.get("excluded-models", ())}
    assert sorted(off) == sorted(key for key in set(asked) if key.startswith(BAD))
    assert len(off) == 2
