"""Confirmation of failures: what is asked, and what ends it."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Final

import pytest

from adapter.fake import FakeGateway, UpstreamRequest, reply, silent
from adapter.port import Answer, NoAnswer, NoAnswerKind, errors
from adapter.privacy.secret import Redactor
from extension.engine.automation.confirmation import side_by_side
from extension.engine.automation.reprobe import FailedProbes, Witnesses
from extension.engine.pool.listed_account import ListedAccount, facts_of
from extension.inspection.accounts.account import Source
from extension.inspection.accounts.families import ProbeEndpoint
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.probes.judgement import Judgement
from extension.inspection.requests.outcome import Attempt, GatewayTrouble, ProbeRequest, Stage
from extension.inspection.settings import parse_settings
from extension.reasons.codes import HoldCode, ReasonCode
from extension.reasons.reason import NO_REASON, because
from tests.extension.engine.samples import ENTRY
from tests.extension.engine.scenario import HEALTHY, INVALID, ended, fleet, inspected, opened, settings
from tests.extension.engine.test_storm_recovery import off
from tests.extension.inspection.oauth.answers import codex

REQUEST = ProbeRequest(Stage.PRIMARY, ProbeEndpoint.MODELS, "GET", "https://a.example/v1/models", {"K": "$TOKEN$"})
BAD = ("-0003-", "-0004-")
RESET = silent(NoAnswerKind.CONNECT, "reset", 0.1)
TROUBLE = GatewayTrouble(because(ReasonCode.SERVICE_TOO_BUSY, seconds="1.0"))
SILENT = silent(NoAnswerKind.TIMEOUT, "no answer", 0.1)


async def test_an_error_of_the_gateway_ends_all_requests() -> None:
    requests = 0

    async def banned() -> None:
        nonlocal requests
        requests += 1
        await asyncio.sleep(0)
        raise errors.Banned("Our address is locked out.")

    with pytest.raises(errors.Banned):
        await side_by_side([banned] * 50, 2)
    await asyncio.sleep(0.01)
    assert requests <= 4


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
    ("answer", "expected"),
    [(INVALID, True), (HEALTHY, False), (reply(403), False), (reply(429), None), (reply(503), None), (SILENT, None)],
)
async def test_only_the_same_status_is_the_same_failure(answer: Answer | NoAnswer, expected: bool | None) -> None:
    reprobe, failures = Answered(REQUEST, answer), FailedProbes()
    failures.add(ACCOUNT, [Attempt(REQUEST, INVALID)], Judgement(Verdict.INVALID_KEY, NO_REASON, 401))
    assert await failures.fails_again(ACCOUNT.id, reprobe) is expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (reply(400, '{"error": "API key not valid", "id": "r-7c1"}'), True),
        (reply(400, '{"error": "contents is not specified", "id": "r-7c1"}'), False),
        (reply(400), False),
    ],
)
async def test_a_status_that_a_serving_host_gives_as_well_is_repeated_by_its_words(
    answer: Answer, expected: bool
) -> None:
    first, failures = reply(400, '{"error": "API key not valid", "id": "r-1a9"}'), FailedProbes()
    failures.add(ACCOUNT, [Attempt(REQUEST, first)], Judgement(Verdict.INVALID_KEY, NO_REASON, 400))
    assert await failures.fails_again(ACCOUNT.id, Answered(REQUEST, answer)) is expected


@pytest.mark.parametrize(
    ("verdict", "first"),
    [(Verdict.RATE_LIMITED, reply(429)), (Verdict.PROVIDER_ERROR, reply(503)), (Verdict.UNREACHABLE, RESET)],
)
@pytest.mark.parametrize(
    ("later", "expected"),
    [
        (HEALTHY, False),
        (reply(400), False),
        (reply(422), False),
        (reply(429), True),
        (reply(503), True),
        (RESET, True),
        (INVALID, True),
        (TROUBLE, None),
    ],
)
async def test_trouble_of_the_moment_is_repeated_by_anything_that_serves_nothing(
    verdict: Verdict, first: Answer | NoAnswer, later: Answer | NoAnswer | GatewayTrouble, expected: bool | None
) -> None:
    failures, attempt = FailedProbes(), Attempt(REQUEST, first)
    failures.add(ACCOUNT, [attempt], Judgement(verdict, NO_REASON, attempt.status))
    assert [failures.asks(ACCOUNT.id, verdict, number) for number in range(3)] == [True] * 3
    assert await failures.fails_again(ACCOUNT.id, Answered(REQUEST, later)) is expected


@pytest.mark.parametrize(("later", "expected"), [(SILENT, True), (HEALTHY, False)])
async def test_a_time_limit_that_was_reached_is_waited_for_once_more_and_not_twice(
    later: Answer | NoAnswer, expected: bool
) -> None:
    failures = FailedProbes()
    failures.add(ACCOUNT, [Attempt(REQUEST, SILENT)], Judgement(Verdict.UNREACHABLE, NO_REASON, 0))
    assert [failures.asks(ACCOUNT.id, Verdict.UNREACHABLE, number) for number in range(3)] == [True, False, False]
    assert await failures.fails_again(ACCOUNT.id, Answered(REQUEST, later)) is expected


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [(Verdict.INVALID_KEY, True), (Verdict.HEALTHY, False), (Verdict.RATE_LIMITED, None), (None, None)],
)
async def test_an_account_without_a_known_request_is_checked_anew(
    verdict: Verdict | None, expected: bool | None
) -> None:
    assert await FailedProbes().fails_again(ACCOUNT.id, Checked({ACCOUNT.id: verdict})) is expected


@pytest.mark.parametrize(
    ("later", "disabled"), [((), 0), (BAD, 2), (("-",), 0)], ids=["the wall is gone", "the keys are bad", "all refused"]
)
async def test_refusals_from_before_a_crash_are_checked_anew(
    tmp_path: Path, later: tuple[str, ...], disabled: int
) -> None:
    gateway = FakeGateway(fleet({"one": 40}))
    blocked = asyncio.Event()
    refused: tuple[str, ...] = BAD

    async def upstream(request: UpstreamRequest) -> Answer:
        key = request.header["x-api-key"]
        if "-0030-" in key and not blocked.is_set():
            blocked.set()
            await asyncio.Event().wait()
        return INVALID if any(part in key for part in refused) else HEALTHY

    gateway.upstream = upstream
    chosen = {"accountSource": "api_key", "autoActionMode": "disable", "workers": 1, "evidenceChecks": False}
    at_the_end = {"disable": False, "enable": False, "delete": False}
    async with opened(tmp_path, gateway) as inspector:
        run = await inspector.runs.start(parse_settings({**chosen, "realtimeAutoActions": at_the_end}), "anna")
        await blocked.wait()
    assert off(gateway) == set()
    refused = later
    async with opened(tmp_path, gateway) as inspector:
        await inspector.runs.resume(run.id)
        await ended(inspector, run.id)
    assert len(off(gateway)) == disabled


REFUSED = reply(401, '{"error":{"message":"Unknown key."}}')
MESSAGE = reply(200, '{"type":"message","content":[{"type":"text","text":"pong"}]}')
OTHER = ProbeRequest(Stage.FALLBACK, ProbeEndpoint.CHAT, "POST", "https://a.example/v1/chat", {"K": "$TOKEN$"})


@pytest.mark.parametrize(
    ("answer", "expected"),
    [(MESSAGE, True), (REFUSED, False), (reply(404), False), (reply(429), None), (reply(500), None), (SILENT, None)],
)
async def test_a_witness_is_asked_again_what_it_was_served(answer: Answer | NoAnswer, expected: bool | None) -> None:
    witnesses = Witnesses(Random(1))
    witnesses.worked("a", ACCOUNT, [Attempt(OTHER, REFUSED), Attempt(REQUEST, MESSAGE)])
    assert await witnesses.works("a", Answered(REQUEST, answer)) is expected
    assert witnesses.has("a")
    assert not witnesses.has("another route")


async def test_a_probe_without_a_success_is_no_witness() -> None:
    witnesses = Witnesses(Random(1))
    witnesses.worked("a", ACCOUNT, [Attempt(REQUEST, reply(400))])
    assert not witnesses.has("a")


async def test_several_accounts_bear_witness_and_the_newest_are_kept() -> None:
    witnesses, checks = Witnesses(Random(1)), Checked(dict.fromkeys(range(20), Verdict.HEALTHY))
    for number in range(20):
        witnesses.worked_before("a", number)
    assert {await witnesses.works("a", checks) for _ in range(200)} == {True}
    assert checks.account_ids == set(range(12, 20))


async def test_a_wall_that_refuses_a_few_at_the_end_of_a_run_disables_no_key(tmp_path: Path) -> None:
    """Too few for any share, and in an order that says nothing: the answers of those that passed come last."""
    gateway = FakeGateway(fleet({"walled": 40}))
    requests = 0

    def answer(_: UpstreamRequest) -> Answer:
        nonlocal requests
        requests += 1
        # One of the walled is answered among those that passed, so that no two failures close the run.
        return REFUSED if requests in {30, 36} or requests > 40 else MESSAGE

    gateway.upstream = answer
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, settings(autoActionMode="disable", workers=1))
        holds = await inspector.history.held(run.id)
    assert run.verdicts == {"healthy": 38, "invalid_key": 2}
    assert not gateway.writes
    assert {hold.code for hold in holds} == {HoldCode.WITNESS_FAILED.value}


FULL = codex(100, 100)


@pytest.mark.parametrize("last", [1, 2, 3])
@pytest.mark.parametrize("used", [codex(10, 20), FULL], ids=["quota left", "quota used up"])
async def test_a_wall_that_refuses_the_last_files_of_a_run_disables_none(tmp_path: Path, last: int, used: str) -> None:
    """A file that reported a full quota was served as well, and bears witness."""
    files = {
        f"codex-{number}.json": {"type": "codex", "access_token": f"a-token-of-file-{number}", "account_id": "one"}
        for number in range(12)
    }
    gateway = FakeGateway("", files)
    requests = 0

    def answer(_: UpstreamRequest) -> Answer:
        nonlocal requests
        requests += 1
        return REFUSED if requests > len(files) - last else reply(200, used)

    gateway.upstream = answer
    late = {"disable": False, "enable": False, "delete": False}
    chosen = {"accountSource": "oauth", "autoActionMode": "disable", "workers": 1, "realtimeAutoActions": late}
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, parse_settings(chosen))
        holds = await inspector.history.held(run.id)
    assert sum(run.verdicts.values()) - run.verdicts.get("healthy", 0) - run.verdicts.get("out_of_quota", 0) == last
    assert not gateway.writes
    assert len(holds) == (last if used != FULL else len(files))


ACCOUNT: Final = ListedAccount(7, Source.API_KEY, facts_of(ENTRY, Redactor()), ENTRY)


class Answered:
    """Reprobe port of one account, whose only request always gets the same answer."""

    def __init__(self, request: ProbeRequest, answer: Answer | NoAnswer | GatewayTrouble) -> None:
        self._request = request
        self._answer = answer

    async def ask(self, listed: ListedAccount, request: ProbeRequest) -> Answer | NoAnswer | GatewayTrouble:
        assert (listed, request) == (ACCOUNT, self._request)
        return self._answer

    async def check(self, account_id: int) -> Verdict | None:
        raise AssertionError(account_id)


class Checked:
    """Reprobe port of accounts that are checked from the beginning."""

    def __init__(self, verdicts: Mapping[int, Verdict | None]) -> None:
        self._verdicts = verdicts
        self.account_ids: set[int] = set()

    async def ask(self, listed: ListedAccount, request: ProbeRequest) -> Answer | NoAnswer | GatewayTrouble:
        raise AssertionError(listed.id, request)

    async def check(self, account_id: int) -> Verdict | None:
        self.account_ids.add(account_id)
        return self._verdicts[account_id]
