"""Witnesses: an account that worked is asked again right before a change that rests on a failed probe."""

from pathlib import Path

from adapter.clock import FakeClock
from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.port import Answer
from extension.engine.automation.witnesses import Witnesses
from extension.inspection.accounts.families import ProbeEndpoint
from extension.inspection.requests.outcome import Attempt, ProbeRequest, Stage
from extension.reasons.hold import HoldCode
from tests.extension.engine.scenario import ended, fleet, opened, settings

REFUSED = reply(401, '{"error":{"message":"Unknown key."}}')
MESSAGE = reply(200, '{"type":"message","content":[{"type":"text","text":"pong"}]}')
REQUEST = ProbeRequest(Stage.PRIMARY, ProbeEndpoint.MODELS, "GET", "https://a.example/v1/models", {"K": "$TOKEN$"})


class Host:
    """A host that counts how often it is asked again."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.asked = 0

    async def ask(self, request: ProbeRequest) -> Answer:
        assert request is REQUEST
        self.asked += 1
        return self.answer


async def test_an_account_that_worked_before_a_failure_is_asked_again() -> None:
    clock, host = FakeClock(), Host(MESSAGE)
    witnesses = Witnesses(clock)
    witnesses.worked("a", [Attempt(REQUEST, MESSAGE)], host.ask, began=clock.now_ms())
    await clock.advance(1)
    failed_at = clock.now_ms()
    await clock.advance(1)

    assert not await witnesses.has_failed("a", failed_at)
    assert not await witnesses.has_failed("a", failed_at), "its new success came after the failure"
    assert host.asked == 1
    host.answer = REFUSED
    assert await witnesses.has_failed("a", clock.now_ms() + 1)
    assert not await witnesses.has_failed("another route", failed_at)


async def test_a_success_after_the_failure_needs_no_other() -> None:
    clock, host = FakeClock(), Host(REFUSED)
    witnesses = Witnesses(clock)
    failed_at = clock.now_ms()
    await clock.advance(1)
    witnesses.worked("a", [Attempt(REQUEST, REFUSED), Attempt(REQUEST, MESSAGE)], host.ask, began=clock.now_ms())

    assert not await witnesses.has_failed("a", failed_at)
    assert host.asked == 0


async def test_a_probe_without_a_success_is_no_witness() -> None:
    clock, host = FakeClock(), Host(REFUSED)
    witnesses = Witnesses(clock)
    witnesses.worked("a", [Attempt(REQUEST, reply(400))], host.ask, began=clock.now_ms())

    assert not await witnesses.has_failed("a", clock.now_ms() + 1)


async def test_a_wall_that_refuses_a_few_at_the_end_of_a_run_disables_no_key(tmp_path: Path) -> None:
    """Too few for any share, and in an order that says nothing: the answers of those that passed come last."""
    gateway = FakeGateway(fleet({"walled": 40}))
    asked = 0

    def answer(_: UpstreamRequest) -> Answer:
        nonlocal asked
        asked += 1
        # One of the walled is answered among those that passed, so that no two failures close the run.
        return REFUSED if asked in {30, 36} or asked > 40 else MESSAGE

    gateway.upstream = answer
    async with opened(tmp_path, gateway) as inspector:
        run = await ended(inspector, (await inspector.start(settings(autoActionMode="disable", workers=1), "anna")).id)
        held = await inspector.history.held(run.id)
    assert run.verdicts == {"healthy": 38, "invalid_key": 2}
    assert not gateway.writes
    assert {each.code for each in held} == {HoldCode.WITNESS_FAILED.value}
