"""Compatible providers without key entries, such as a local model server."""

from dataclasses import replace

import pytest

from adapter.port import TOKEN_PLACEHOLDER, Answer, NoAnswerKind
from extension.inspection.probes.plan import NoProbe, ProbePlan, plan_probe
from extension.inspection.settings import parse_settings
from tests.extension.inspection.samples import answer, chance, judged, key_account, silence

CHECKED = parse_settings({"accountSource": "api_key", "retries": 0})
LITERAL = parse_settings({"accountSource": "api_key", "retries": 0, "evidenceChecks": False})
KEYLESS = replace(key_account(), no_probe="keyless")
WALL = answer(403, "<html><head><title>Just a moment...</title></head></html>", {"Content-Type": "text/html"})


def test_the_requests_of_a_keyless_provider_carry_no_key() -> None:
    plan = plan_probe(KEYLESS, CHECKED, chance(1))
    assert isinstance(plan, ProbePlan)
    assert plan.requests
    assert not [each for each in plan.requests.values() if TOKEN_PLACEHOLDER in " ".join(each.header.values())]
    assert plan.evidence == {}


def test_a_keyless_local_server_is_healthy() -> None:
    judgement = judged(KEYLESS, answer(200, '{"object":"list","data":[{"id":"llama"}]}'), settings=CHECKED)
    assert (judgement.verdict, "no key required" in judgement.reason.text) == ("healthy", True)


@pytest.mark.parametrize("status", [401, 403])
def test_a_server_that_wants_a_key_says_so_and_blames_none(status: int) -> None:
    judgement = judged(
        KEYLESS, answer(status, '{"error":{"message":"no key","code":"invalid_api_key"}}'), settings=CHECKED
    )
    assert (judgement.verdict, "add a key" in judgement.reason.text) == ("inconclusive", True)


@pytest.mark.parametrize(
    ("first_answer", "verdict"),
    [
        (answer(500), "provider_error"),
        (answer(429), "rate_limited"),
        (answer(400, '{"error":"what"}'), "inconclusive"),
        (WALL, "blocked"),
    ],
)
def test_other_answers_to_a_keyless_provider_are_about_the_host(first_answer: Answer, verdict: str) -> None:
    assert judged(KEYLESS, first_answer, settings=CHECKED).verdict == verdict


def test_a_keyless_server_that_does_not_answer_is_unreachable() -> None:
    silent = silence(NoAnswerKind.CONNECT, "connection refused")
    assert judged(KEYLESS, silent, silent, settings=CHECKED).verdict == "unreachable"


def test_a_blank_key_is_skipped_with_the_next_step() -> None:
    plan = plan_probe(replace(key_account(), no_probe="no_key"), CHECKED, chance(1))
    assert isinstance(plan, NoProbe)
    assert (plan.verdict, "add a key" in plan.reason.text) == ("skipped", True)


def test_without_evidence_checks_a_keyless_provider_is_skipped_as_before() -> None:
    assert isinstance(plan_probe(KEYLESS, LITERAL, chance(1)), NoProbe)
