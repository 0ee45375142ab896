"""Confirmation of refusals: what is asked, and what ends it."""

import asyncio
from pathlib import Path

import pytest

from adapter.fake import FakeGateway, UpstreamRequest, reply, silent
from adapter.port import Answer, NoAnswer, NoAnswerKind, errors
from extension.engine.automation.second_look import RefusedProbes, SecondLook, side_by_side
from extension.inspection.accounts.families import ProbeEndpoint
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.requests.outcome import Attempt, ProbeRequest, Stage
from extension.inspection.settings import parse_settings
from tests.extension.engine.scenario import ended, fleet, opened
from tests.extension.engine.test_storm_recovery import HEALTHY, INVALID, off

REQUEST = ProbeRequest(Stage.PRIMARY, ProbeEndpoint.MODELS, "GET", "https://a.example/v1/models", {"K": "$TOKEN$"})
BAD = ("-0003-", "-0004-")
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
    async def ask(request: ProbeRequest) -> Answer | NoAnswer:
        assert request is REQUEST
        return answer

    async def never(account_id: int) -> Verdict | None:
        raise AssertionError(account_id)

    refusals = RefusedProbes()
    refusals.add(7, [Attempt(REQUEST, INVALID)], 401, ask)
    assert await SecondLook(refusals, never).fails_again(7) is said


@pytest.mark.parametrize(
    ("verdict", "said"),
    [(Verdict.INVALID_KEY, True), (Verdict.HEALTHY, False), (Verdict.RATE_LIMITED, None), (None, None)],
)
async def test_an_account_without_a_known_request_is_checked_anew(verdict: Verdict | None, said: bool | None) -> None:
    async def check(account_id: int) -> Verdict | None:
        assert account_id == 7
        return verdict

    assert await SecondLook(RefusedProbes(), check).fails_again(7) is said


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
        run = await inspector.start(parse_settings({**given, "realtimeAutoActions": at_the_end}), "anna")
        await held.wait()
    assert off(gateway) == set()
    refused = later
    async with opened(tmp_path, gateway) as inspector:
        await inspector.resume(run.id)
        await ended(inspector, run.id)
    assert len(off(gateway)) == disabled
