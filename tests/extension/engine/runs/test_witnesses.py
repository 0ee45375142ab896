"""Witnesses: an account that worked is asked again right before a change that rests on a failed probe."""

from pathlib import Path
from random import Random

import pytest

from adapter.fake import FakeGateway, UpstreamRequest, reply, silent
from adapter.port import Answer, NoAnswer, NoAnswerKind
from extension.engine.automation.reprobe import Witnesses
from extension.inspection.accounts.families import ProbeEndpoint
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.requests.outcome import Attempt, ProbeRequest, Stage
from extension.inspection.settings import parse_settings
from extension.reasons.codes import HoldCode
from tests.extension.engine.reprobes import ACCOUNT, Answered, Checked
from tests.extension.engine.scenario import fleet, inspected, opened, settings
from tests.extension.inspection.oauth.answers import codex

REFUSED = reply(401, '{"error":{"message":"Unknown key."}}')
MESSAGE = reply(200, '{"type":"message","content":[{"type":"text","text":"pong"}]}')
REQUEST = ProbeRequest(Stage.PRIMARY, ProbeEndpoint.MODELS, "GET", "https://a.example/v1/models", {"K": "$TOKEN$"})
OTHER = ProbeRequest(Stage.FALLBACK, ProbeEndpoint.CHAT, "POST", "https://a.example/v1/chat", {"K": "$TOKEN$"})
SILENT = silent(NoAnswerKind.TIMEOUT, "no answer", 0.1)


@pytest.mark.parametrize(
    ("answer", "said"),
    [(MESSAGE, True), (REFUSED, False), (reply(404), False), (reply(429), None), (reply(500), None), (SILENT, None)],
)
async def test_a_witness_is_asked_again_what_it_was_served(answer: Answer | NoAnswer, said: bool | None) -> None:
    witnesses = Witnesses(Random(1))
    witnesses.worked("a", ACCOUNT, [Attempt(OTHER, REFUSED), Attempt(REQUEST, MESSAGE)])
    assert await witnesses.works("a", Answered(REQUEST, answer)) is said
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
    asked = 0

    def answer(_: UpstreamRequest) -> Answer:
        nonlocal asked
        asked += 1
        # One of the walled is answered among those that passed, so that no two failures close the run.
        return REFUSED if asked in {30, 36} or asked > 40 else MESSAGE

    gateway.upstream = answer
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, settings(autoActionMode="disable", workers=1))
        held = await inspector.history.held(run.id)
    assert run.verdicts == {"healthy": 38, "invalid_key": 2}
    assert not gateway.writes
    assert {each.code for each in held} == {HoldCode.WITNESS_FAILED.value}


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
    asked = 0

    def answer(_: UpstreamRequest) -> Answer:
        nonlocal asked
        asked += 1
        return REFUSED if asked > len(files) - last else reply(200, used)

    gateway.upstream = answer
    late = {"disable": False, "enable": False, "delete": False}
    chosen = {"accountSource": "oauth", "autoActionMode": "disable", "workers": 1, "realtimeAutoActions": late}
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, parse_settings(chosen))
        held = await inspector.history.held(run.id)
    assert sum(run.verdicts.values()) - run.verdicts.get("healthy", 0) - run.verdicts.get("out_of_quota", 0) == last
    assert not gateway.writes
    assert len(held) == (last if used != FULL else len(files))
