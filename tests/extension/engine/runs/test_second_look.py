"""Confirmation of failures: what is asked, and what ends it."""

import asyncio
from pathlib import Path

import pytest

from adapter.fake import FakeGateway, UpstreamRequest, reply, silent
from adapter.port import Answer, NoAnswer, NoAnswerKind, errors
from extension.engine.automation.confirmation import side_by_side
from extension.engine.automation.reprobe import FailedProbes
from extension.inspection.accounts.families import ProbeEndpoint
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.probes.judgement import Judgement
from extension.inspection.requests.outcome import Attempt, GatewayTrouble, ProbeRequest, Stage
from extension.inspection.settings import parse_settings
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, because
from tests.extension.engine.reprobes import ACCOUNT, Answered, Checked
from tests.extension.engine.scenario import ended, fleet, opened
from tests.extension.engine.test_storm_recovery import HEALTHY, INVALID, off

REQUEST = ProbeRequest(Stage.PRIMARY, ProbeEndpoint.MODELS, "GET", "https://a.example/v1/models", {"K": "$TOKEN$"})
BAD = ("-0003-", "-0004-")
RESET = silent(NoAnswerKind.CONNECT, "reset", 0.1)
TROUBLE = GatewayTrouble(because(ReasonCode.SERVICE_TOO_BUSY, seconds="1.0"))
SILENT = silent(NoAnswerKind.TIMEOUT, "no answer", 0.1)


async def test_an_error_of_the_gateway_ends_all_requests() -> None:
    asked = 0

    async def banned() -> None:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0)
        raise errors.Banned("Our address is locked out.")

    with pytest.raises(errors.Banned):
        await side_by_side([banned] * 50, 2)
    await asyncio.sleep(0.01)
    assert asked <= 4


async def test_no_more_accounts_are_asked_side_by_side_than_allowed() -> None:
    most = now = made = 0

    async def check() -> None:
        nonlocal most, now, made
        now += 1
        most = max(most, now)
        await asyncio.sleep(0)
        now -= 1
        made += 1

    await side_by_side([check] * 20, 3)
    assert (most, made) == (3, 20)


@pytest.mark.parametrize(
    ("answer", "said"),
    [(INVALID, True), (HEALTHY, False), (reply(403), False), (reply(429), None), (reply(503), None), (SILENT, None)],
)
async def test_only_the_same_status_is_the_same_failure(answer: Answer | NoAnswer, said: bool | None) -> None:
    reprobe, failures = Answered(REQUEST, answer), FailedProbes()
    failures.add(ACCOUNT, [Attempt(REQUEST, INVALID)], Judgement(Verdict.INVALID_KEY, NO_REASON, 401))
    assert await failures.fails_again(ACCOUNT.id, reprobe) is said


@pytest.mark.parametrize(
    ("verdict", "first"),
    [(Verdict.RATE_LIMITED, reply(429)), (Verdict.PROVIDER_ERROR, reply(503)), (Verdict.UNREACHABLE, RESET)],
)
@pytest.mark.parametrize(
    ("later", "said"),
    [(HEALTHY, False), (reply(429), True), (reply(503), True), (RESET, True), (INVALID, True), (TROUBLE, None)],
)
async def test_trouble_of_the_moment_is_repeated_by_anything_that_serves_nothing(
    verdict: Verdict, first: Answer | NoAnswer, later: Answer | NoAnswer | GatewayTrouble, said: bool | None
) -> None:
    failures, attempt = FailedProbes(), Attempt(REQUEST, first)
    failures.add(ACCOUNT, [attempt], Judgement(verdict, NO_REASON, attempt.status))
    assert [failures.asks(ACCOUNT.id, verdict, number) for number in range(3)] == [True] * 3
    assert await failures.fails_again(ACCOUNT.id, Answered(REQUEST, later)) is said


@pytest.mark.parametrize(("later", "said"), [(SILENT, True), (HEALTHY, False)])
async def test_a_time_limit_that_was_reached_is_waited_for_once_more_and_not_twice(
    later: Answer | NoAnswer, said: bool
) -> None:
    failures = FailedProbes()
    failures.add(ACCOUNT, [Attempt(REQUEST, SILENT)], Judgement(Verdict.UNREACHABLE, NO_REASON, 0))
    assert [failures.asks(ACCOUNT.id, Verdict.UNREACHABLE, number) for number in range(3)] == [True, False, False]
    assert await failures.fails_again(ACCOUNT.id, Answered(REQUEST, later)) is said


@pytest.mark.parametrize(
    ("verdict", "said"),
    [(Verdict.INVALID_KEY, True), (Verdict.HEALTHY, False), (Verdict.RATE_LIMITED, None), (None, None)],
)
async def test_an_account_without_a_known_request_is_checked_anew(verdict: Verdict | None, said: bool | None) -> None:
    assert await FailedProbes().fails_again(ACCOUNT.id, Checked({ACCOUNT.id: verdict})) is said


@pytest.mark.parametrize(
    ("later", "disabled"), [((), 0), (BAD, 2), (("-",), 0)], ids=["the wall is gone", "the keys are bad", "all refused"]
)
async def test_refusals_from_before_a_crash_are_checked_anew(
    tmp_path: Path, later: tuple[str, ...], disabled: int
) -> None:
    gateway = FakeGateway(fleet({"one": 40}))
    held = asyncio.Event()
    refused: tuple[str, ...] = BAD

    async def upstream(request: UpstreamRequest) -> Answer:
        key = request.header["x-api-key"]
        if "-0030-" in key and not held.is_set():
            held.set()
            await asyncio.Event().wait()
        return INVALID if any(each in key for each in refused) else HEALTHY

    gateway.upstream = upstream
    given = {"accountSource": "api_key", "autoActionMode": "disable", "workers": 1, "evidenceChecks": False}
    at_the_end = {"disable": False, "enable": False, "delete": False}
    async with opened(tmp_path, gateway) as inspector:
        run = await inspector.runs.start(parse_settings({**given, "realtimeAutoActions": at_the_end}), "anna")
        await held.wait()
    assert off(gateway) == set()
    refused = later
    async with opened(tmp_path, gateway) as inspector:
        await inspector.runs.resume(run.id)
        await ended(inspector, run.id)
    assert len(off(gateway)) == disabled
