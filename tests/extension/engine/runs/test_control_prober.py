"""Controls of a run: budget, freshness, and what they may excuse or blame."""

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
from tests.extension.engine.scenario import fleet, inspected, opened, settings

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
        given = settings(evidenceChecks=True, autoActionMode="disable", workers=4)
        run = await inspected(inspector, given)
        assert run.verdicts == {"blocked": 30}
    assert not gateway.writes
    assert sum(MARK in request.header["x-api-key"] for request in gateway.calls) <= MOST_CONTROLS


@pytest.mark.parametrize("checks", [True, False])
async def test_one_account_whose_answer_cannot_be_judged_ends_nothing(
    tmp_path: Path, checks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    gateway = FakeGateway(fleet({"calm": 20}))
    gateway.upstream = lambda request: reply(500, "[" * 3) if "-0007-" in request.header["x-api-key"] else MESSAGE

    def judge(*given: object, **named: object) -> object:
        attempts = given[1]
        if isinstance(attempts, list) and attempts and attempts[-1].status == 500:
            raise RecursionError("planted")
        return real_judge(*given, **named)  # type: ignore[arg-type] # passed on

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
