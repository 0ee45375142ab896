"""Controls of a run: budget, freshness, and what they may excuse or blame."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from adapter.clock import FakeClock
from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.port import Answer
from extension.engine.runs.control_prober import ControlMemory, ControlProber, ControlWish
from extension.inspection.accounts.families import Family, ProbeEndpoint
from extension.inspection.probes.controls import MARK, MOST_CONTROLS
from extension.inspection.probes.judgement import judge as real_judge
from extension.inspection.requests.outcome import Attempt, ProbeRequest, Stage
from extension.inspection.settings import parse_settings
from extension.reasons.codes import HoldCode
from extension.store.runs.schedules import Plan
from tests.extension.engine.scenario import HEALTHY, fleet, inspected, meanwhile, opened, run_number, settings

FORBIDDEN = reply(403, '{"error":{"message":"Not from your country."}}')
REFUSED = reply(401, '{"error":{"message":"Unknown key."}}')
LACKING = reply(400, '{"error":{"message":"messages is missing"}}')
CHAT = reply(200, '{"choices":[{"message":{"content":"pong"}}]}')
MESSAGE = reply(200, '{"type":"message","content":[{"type":"text","text":"pong"}]}')
REQUEST = ProbeRequest(Stage.PRIMARY, ProbeEndpoint.MODELS, "GET", "https://a.example/v1/models", {"K": "$TOKEN$"})


class Host:
    """A host that counts the wrong keys it gets."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.keys: list[str] = []

    async def send(self, request: ProbeRequest) -> Answer:
        self.keys.append(request.header["K"])
        return self.answer


def wish(answer: Answer, clock: FakeClock, route: str = "a") -> ControlWish:
    return ControlWish(route, Family.COMPAT, Attempt(REQUEST, answer), clock.monotonic())


def prober(
    clock: FakeClock, memory: ControlMemory | None = None, *, scheduled: bool = False, acts: bool = False
) -> ControlProber:
    return ControlProber(memory or ControlMemory(), clock, Random(1), scheduled=scheduled, acts=acts)


async def test_a_control_never_blames_an_answer_that_is_newer() -> None:
    clock, host = FakeClock(), Host(REFUSED)
    controls = prober(clock)

    assert await controls.answer(wish(FORBIDDEN, clock), host.send) is REFUSED
    await clock.advance(1)
    assert await controls.answer(wish(FORBIDDEN, clock), host.send) is None
    assert len(host.keys) == 1


async def test_an_older_control_may_excuse() -> None:
    clock, host = FakeClock(), Host(FORBIDDEN)
    controls = prober(clock)
    await controls.answer(wish(FORBIDDEN, clock), host.send)
    await clock.advance(1)

    assert await controls.answer(wish(FORBIDDEN, clock), host.send) is FORBIDDEN
    assert len(host.keys) == 1


async def test_answers_before_a_control_share_it() -> None:
    clock, host = FakeClock(), Host(REFUSED)
    controls, early = prober(clock), wish(FORBIDDEN, clock)
    await clock.advance(1)

    assert await controls.answer(wish(FORBIDDEN, clock), host.send) is REFUSED
    assert await controls.answer(early, host.send) is REFUSED
    assert len(host.keys) == 1


async def test_a_route_has_a_budget() -> None:
    clock, host = FakeClock(), Host(REFUSED)
    controls = prober(clock)
    for _ in range(MOST_CONTROLS + 3):
        await clock.advance(61)
        await controls.answer(wish(FORBIDDEN, clock), host.send)

    assert len(host.keys) == MOST_CONTROLS
    assert all(key.startswith("sk-") and MARK in key for key in host.keys)


async def test_a_schedule_sends_one_wrong_key_to_a_route_in_an_hour() -> None:
    clock, host, memory = FakeClock(), Host(REFUSED), ControlMemory()
    for _ in range(3):
        await prober(clock, memory, scheduled=True).answer(wish(FORBIDDEN, clock), host.send)
        await clock.advance(1300)
    assert len(host.keys) == 1
    await prober(clock, memory, scheduled=True).answer(wish(FORBIDDEN, clock), host.send)
    assert len(host.keys) == 2


async def test_whether_a_list_is_public_is_kept_across_runs() -> None:
    clock, host, memory = FakeClock(), Host(REFUSED), ControlMemory()
    for _ in range(3):
        await prober(clock, memory).answer(wish(reply(200), clock), host.send)
        await clock.advance(3600)

    assert len(host.keys) == 1


async def test_a_region_refusal_is_blocked_with_few_wrong_keys(tmp_path: Path) -> None:
    gateway = FakeGateway(fleet({"walled": 30}))
    gateway.upstream = lambda _: FORBIDDEN
    async with opened(tmp_path, gateway) as inspector:
        chosen = settings(evidenceChecks=True, autoActionMode="disable", workers=4)
        run = await inspected(inspector, chosen)
        assert run.verdicts == {"blocked": 30}
    assert not gateway.writes
    assert sum(MARK in request.header["x-api-key"] for request in gateway.calls) <= MOST_CONTROLS


@pytest.mark.parametrize("checks", [True, False])
async def test_one_account_whose_answer_cannot_be_judged_ends_nothing(
    tmp_path: Path, checks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    gateway = FakeGateway(fleet({"calm": 20}))
    gateway.upstream = lambda request: reply(500, "[" * 3) if "-0007-" in request.header["x-api-key"] else MESSAGE

    def judge(*arguments: object, **named: object) -> object:
        attempts = arguments[1]
        if isinstance(attempts, list) and attempts and attempts[-1].status == 500:
            raise RecursionError("planted")
        return real_judge(*arguments, **named)  # type: ignore[arg-type] # passed on

    monkeypatch.setattr("extension.engine.runs.exchange.judge", judge)
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, settings(evidenceChecks=checks, retries=0))
        assert run.verdicts == {"healthy": 19, "unknown": 1}


async def test_revoked_keys_behind_a_public_list_are_told_from_good_ones(tmp_path: Path) -> None:
    lines = ["codex-api-key:"]
    for number in range(20):
        kind = "good" if number % 2 else "dead"
        lines += [f"  - api-key: sk-{kind}-{number:04}-0123456789", "    base-url: http://public.example/v1"]
    gateway = FakeGateway("\n".join(lines) + "\n")

    def upstream(request: UpstreamRequest) -> Answer:
        if request.method == "GET":
            return reply(200)
        if "-good-" not in request.header["Authorization"]:
            return REFUSED
        return LACKING if request.body == "{}" else CHAT

    gateway.upstream = upstream
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, settings(evidenceChecks=True))
        assert run.verdicts == {"healthy": 10, "invalid_key": 10}
    assert sum(MARK in request.header["Authorization"] for request in gateway.calls) <= MOST_CONTROLS


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
        holds = await inspector.history.held(run.id)
    assert len(world.wrong) == 1
    if wall:
        assert (off(gateway), [hold.code for hold in holds]) == ([], [HoldCode.SAME_FOR_ANY_KEY])
    else:
        assert ([key.startswith(BAD) for key in off(gateway)], holds) == ([True], ())


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
            codes += [hold.code for hold in await inspector.history.held(number)]
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
