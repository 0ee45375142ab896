"""Weighing of answers: the table of controls, cell by cell."""

from collections.abc import Sequence

import pytest

from adapter.port import Answer, Section
from extension.inspection.accounts.families import Family
from extension.inspection.probes.controls import MARK, ControlAnswer, ControlRequest, control_key, with_key
from extension.inspection.probes.judgement import Judgement, judge, next_step
from extension.inspection.requests.outcome import Attempt, Stage
from extension.inspection.settings import InspectionSettings, parse_settings
from tests.extension.inspection.samples import (
    CHAT_BODY,
    GENERATE_BODY,
    MESSAGES_BODY,
    MODELS_BODY,
    NATIVE_BODY,
    Reply,
    answer,
    chance,
    key_account,
    planned,
    silence,
)

SETTINGS = parse_settings({"accountSource": "api_key", "retries": 0})
USABLE = parse_settings({"accountSource": "api_key", "retries": 0, "checkDepth": "usable"})
REFUSED = answer(401, '{"error":{"message":"Who are you?"}}')
FORBIDDEN = answer(403, '{"error":{"message":"Not for you."}}')
LIST, CHAT, MESSAGE = answer(200, MODELS_BODY), answer(200, CHAT_BODY), answer(200, MESSAGES_BODY)
LACKING = answer(400, '{"error":{"message":"messages is missing"}}')
WALL = answer(403, "<html><title>Just a moment...</title></html>")


def weighed(
    replies: Sequence[Reply],
    controls: Sequence[ControlAnswer | None] = (),
    section: Section = Section.COMPAT,
    settings: InspectionSettings = SETTINGS,
) -> Judgement:
    """Run a probe over answers and answers of controls, all of which it must ask for."""
    plan = planned(key_account(section), settings)
    attempts: list[Attempt] = []
    known: dict[Stage, ControlAnswer | None] = {}
    left, controls_left = list(replies), list(controls)
    while (step := next_step(plan, attempts, known, settings)) is not None:
        if isinstance(step, ControlRequest):
            known[step.stage] = controls_left.pop(0)
        else:
            attempts.append(Attempt(step, left.pop(0)))
    assert (left, controls_left) == ([], []), "more answers than requests"
    return judge(plan, attempts, settings, controls=known)


@pytest.mark.parametrize(
    ("got", "control", "verdict"),
    [
        (FORBIDDEN, FORBIDDEN, "blocked"),
        (FORBIDDEN, REFUSED, "forbidden"),
        (FORBIDDEN, answer(403, '{"error":{"message":"Unknown key."}}'), "forbidden"),
        (FORBIDDEN, LACKING, "forbidden"),
        (FORBIDDEN, silence(), "forbidden"),
        (FORBIDDEN, answer(429), "forbidden"),
        (FORBIDDEN, answer(503), "forbidden"),
        (FORBIDDEN, WALL, "forbidden"),
        (FORBIDDEN, None, "forbidden"),
        (LACKING, REFUSED, "inconclusive"),
        (LACKING, FORBIDDEN, "inconclusive"),
        (LACKING, LACKING, "inconclusive"),
        (LACKING, None, "inconclusive"),
        (answer(302, ""), None, "inconclusive"),
    ],
)
def test_a_refusal_is_compared_with_that_of_a_wrong_key(
    got: Answer, control: ControlAnswer | None, verdict: str
) -> None:
    assert weighed([got], [control], Section.CLAUDE).verdict == verdict


@pytest.mark.parametrize(
    ("got", "verdict"),
    [
        (REFUSED, "invalid_key"),
        (answer(401, ""), "invalid_key"),
        (answer(402), "out_of_quota"),
        (answer(429), "rate_limited"),
        (answer(500), "provider_error"),
        (silence(), "unreachable"),
        (WALL, "blocked"),
        (answer(503, "<html>down</html>"), "blocked"),
        (answer(200, "<html>Success</html>"), "blocked"),
        (answer(200, '{"error":"Unexpected endpoint"}'), "inconclusive"),
        (answer(999), "inconclusive"),
        (answer(0), "inconclusive"),
        (MESSAGE, "healthy"),
    ],
)
def test_an_answer_that_speaks_for_itself_needs_no_control(got: Reply, verdict: str) -> None:
    assert weighed([got], [], Section.CLAUDE).verdict == verdict


def test_the_same_answer_for_any_key_says_check_the_base_url() -> None:
    missing = [answer(404, '{"detail":"Not found"}')] * 4

    assert "check the base URL" in weighed(missing, missing[:1]).reason.text
    assert "check the base URL" not in weighed(missing, [REFUSED]).reason.text


@pytest.mark.parametrize("control", [REFUSED, FORBIDDEN, LACKING])
def test_a_list_that_a_wrong_key_does_not_get_proves_the_key(control: ControlAnswer) -> None:
    assert weighed([LIST], [control]).verdict == "healthy"


@pytest.mark.parametrize("control", [silence(), answer(429), answer(503), None])
@pytest.mark.parametrize(
    ("empty", "verdict"),
    [
        (LACKING, "healthy"),
        (CHAT, "healthy"),
        (answer(503), "healthy"),
        (silence(), "healthy"),
        (WALL, "healthy"),
        (REFUSED, "invalid_key"),
        (answer(403, '{"error":{"code":"account_deactivated"}}'), "forbidden"),
        (FORBIDDEN, "inconclusive"),
    ],
)
def test_where_no_control_tells_whether_the_list_is_public_an_empty_request_can_only_blame(
    control: ControlAnswer | None, empty: Reply, verdict: str
) -> None:
    assert weighed([LIST, empty], [control]).verdict == verdict


@pytest.mark.parametrize("chat", [answer(503, ""), answer(503, "no channel"), answer(500)])
def test_behind_a_public_list_a_chat_that_the_host_cannot_serve_blames_no_key(chat: Answer) -> None:
    assert weighed([LIST, answer(503, ""), chat], [LIST, None]).verdict == "inconclusive"


@pytest.mark.parametrize(
    ("empty", "verdict"),
    [
        (LACKING, "healthy"),
        (answer(503, '{"error":{"message":"no channel"}}'), "healthy"),
        (answer(404), "healthy"),
        (answer(429), "healthy"),
        (FORBIDDEN, "forbidden"),
    ],
)
def test_behind_a_public_list_the_difference_of_an_empty_request_decides(empty: Answer, verdict: str) -> None:
    assert weighed([LIST, empty], [LIST, REFUSED]).verdict == verdict


def test_behind_a_public_list_a_refused_key_is_invalid() -> None:
    assert weighed([LIST, REFUSED], [LIST]).verdict == "invalid_key"


def test_behind_a_public_list_silence_proves_nothing() -> None:
    assert weighed([LIST, silence()], [LIST]).verdict == "inconclusive"


@pytest.mark.parametrize(
    ("chat", "controls", "verdict", "words"),
    [
        (CHAT, [CHAT], "healthy", "no key required"),
        (CHAT, [REFUSED], "healthy", "Key accepted"),
        (REFUSED, [], "invalid_key", "Invalid key"),
        (FORBIDDEN, [FORBIDDEN], "blocked", "wrong key gets the same"),
    ],
)
def test_without_a_difference_the_minimal_chat_decides(
    chat: Answer, controls: list[ControlAnswer], verdict: str, words: str
) -> None:
    finding = weighed([LIST, LACKING, chat], [LIST, LACKING, *controls])

    assert finding.verdict == verdict
    assert words in finding.reason.text


def test_a_server_that_answers_an_empty_request_checks_no_key() -> None:
    assert "no key required" in weighed([LIST, CHAT], [LIST, CHAT]).reason.text


@pytest.mark.parametrize("chat", [REFUSED, FORBIDDEN])
def test_after_a_proof_of_the_key_only_a_known_answer_blames_it(chat: Answer) -> None:
    assert weighed([LIST, chat], [REFUSED], settings=USABLE).verdict == "inconclusive"
    suspended = answer(401, '{"error":{"code":"account_deactivated"}}')
    assert weighed([LIST, suspended], [REFUSED], settings=USABLE).verdict == "forbidden"


def test_a_usable_key_answers_a_minimal_chat() -> None:
    assert weighed([LIST, CHAT], [REFUSED], settings=USABLE).verdict == "healthy"
    assert weighed([LIST, answer(429)], [REFUSED], settings=USABLE).verdict == "rate_limited"


def test_a_key_refused_in_one_header_is_confirmed_in_the_vendors_own() -> None:
    native, generated = answer(200, NATIVE_BODY), answer(200, GENERATE_BODY)

    finding = weighed([native, REFUSED, REFUSED, generated], [native, REFUSED], Section.GEMINI)

    assert finding.verdict == "healthy"


@pytest.mark.parametrize("family", [family for family in Family if family is not Family.ALL])
def test_a_control_carries_a_marked_random_key_instead_of_the_placeholder(family: Family) -> None:
    key, other = control_key(family, chance(1)), control_key(family, chance(2))
    request = planned(key_account()).requests[Stage.PRIMARY]

    assert MARK in key
    assert key != other
    assert with_key(request, key).header["Authorization"] == f"Bearer {key}"


UPSTREAM = answer(401, '{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}')


def test_a_relay_that_passes_on_a_refusal_of_its_upstream_blames_no_key_of_its_own() -> None:
    finding = weighed([LIST, UPSTREAM], [REFUSED, REFUSED], settings=USABLE)

    assert (finding.verdict, "accepted" in finding.reason.text) == ("inconclusive", True)


def test_a_refusal_after_a_proof_counts_where_a_wrong_key_gets_the_same() -> None:
    assert weighed([LIST, UPSTREAM], [REFUSED, UPSTREAM], settings=USABLE).verdict == "invalid_key"


def test_without_a_control_a_refusal_after_a_proof_blames_no_key() -> None:
    assert weighed([LIST, UPSTREAM], [REFUSED, None], settings=USABLE).verdict == "inconclusive"
