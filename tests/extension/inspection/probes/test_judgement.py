import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.port import Section
from adapter.privacy.secret import HIDDEN, Redactor
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.probes.judgement import judge
from extension.inspection.probes.plan import NoProbe
from extension.inspection.requests.outcome import GatewayTrouble
from extension.inspection.settings import parse_settings
from extension.reasons.reason import ReasonList
from tests.extension.inspection.samples import (
    CHAT_BODY,
    GENERATE_BODY,
    KEY_SETTINGS,
    MODELS_BODY,
    NATIVE_BODY,
    Reply,
    answer,
    judged,
    key_account,
    planned,
    probe,
    silence,
)

COMPAT = key_account()
NO_MODEL = '{"error":{"code":"model_not_found","message":"The model `m` does not exist"}}'

FALLBACK_TABLE: list[tuple[tuple[Reply, ...], str, int]] = [
    ((answer(404), answer(200, CHAT_BODY)), "healthy", 200),
    ((answer(405), answer(200, CHAT_BODY)), "healthy", 200),
    ((answer(501), answer(200, CHAT_BODY)), "healthy", 200),
    ((silence(), answer(200, CHAT_BODY)), "healthy", 200),
    ((answer(404), answer(401)), "invalid_key", 401),
    ((answer(405), answer(429)), "rate_limited", 429),
    ((answer(501), answer(500)), "provider_error", 500),
    ((answer(404), answer(404)), "rejected", 404),
    ((answer(404), silence(), silence()), "unreachable", 0),
    ((silence(), answer(401)), "unreachable", 0),
    ((silence(), answer(500)), "unreachable", 0),
    ((silence(), silence()), "unreachable", 0),
    ((answer(404), answer(404, NO_MODEL)), "inconclusive", 404),
    ((silence(), answer(404, NO_MODEL)), "inconclusive", 404),
    ((answer(404), answer(200, "<p>")), "inconclusive", 200),
]


@pytest.mark.parametrize(("replies", "verdict", "status"), FALLBACK_TABLE)
def test_the_fallback_counts_when_it_succeeds_or_the_primary_was_not_there(
    replies: tuple[Reply, ...], verdict: str, status: int
) -> None:
    judgement = judged(COMPAT, *replies)

    assert (judgement.verdict, judgement.status) == (verdict, status)
    assert len(judgement.attempts) == len(replies)


CONFIRMATIONS: list[tuple[tuple[Reply, ...], str]] = [
    ((answer(401), answer(200, NATIVE_BODY)), "healthy"),
    ((answer(403), answer(200, NATIVE_BODY)), "healthy"),
    ((answer(401), answer(401)), "invalid_key"),
    ((answer(401), answer(403)), "forbidden"),
    ((answer(401), answer(500)), "provider_error"),
    ((answer(401), GatewayTrouble(ReasonList(written="gone"))), "unknown"),
    ((answer(401), answer(404), answer(200, GENERATE_BODY)), "healthy"),
    ((answer(404), answer(401), answer(200, GENERATE_BODY)), "healthy"),
    ((answer(404), answer(401), answer(401)), "invalid_key"),
    ((answer(404), answer(200, GENERATE_BODY)), "healthy"),
]


@pytest.mark.parametrize("section", [Section.GEMINI, Section.VERTEX])
@pytest.mark.parametrize(("replies", "verdict"), CONFIRMATIONS)
def test_a_refused_bearer_counts_only_as_its_confirmation_says(
    replies: tuple[Reply, ...], verdict: str, section: Section
) -> None:
    assert judged(key_account(section), *replies).verdict == verdict


@pytest.mark.parametrize("after", [(), (answer(404),), (silence(),)])
def test_trouble_with_the_gateway_is_unknown_whatever_came_before(after: tuple[Reply, ...]) -> None:
    judgement = judged(COMPAT, *after, GatewayTrouble(ReasonList(written="The gateway does not answer.")))

    assert (judgement.verdict, judgement.status, judgement.latency_ms) == (Verdict.UNKNOWN, None, None)
    assert judgement.reason.text == "Not checked: The gateway does not answer."


def test_a_probe_that_was_given_up_before_it_was_sent_is_unknown() -> None:
    assert judge(planned(COMPAT), (), KEY_SETTINGS).verdict is Verdict.UNKNOWN


def test_an_account_without_probe_keeps_the_reason_it_was_given() -> None:
    judgement = judge(NoProbe(Verdict.NO_BASE_URL, ReasonList(written="The base URL is missing.")), (), KEY_SETTINGS)

    assert (judgement.verdict, judgement.reason.text) == (Verdict.NO_BASE_URL, "The base URL is missing.")
    assert (judgement.status, judgement.latency_ms, judgement.attempts) == (None, None, ())


@pytest.mark.parametrize(
    ("replies", "reason"),
    [
        ((answer(200, MODELS_BODY),), "Key accepted (HTTP 200)."),
        ((answer(404), answer(200, CHAT_BODY)), "Key accepted (HTTP 200 to the fallback request)."),
        ((answer(200, "<html>"),), "HTTP 200, with a web page instead of JSON: this proves nothing about the key."),
        (
            (answer(401, '{"error":{"code":"invalid_api_key"}}'),),
            "Invalid key (HTTP 401, invalid_api_key).",
        ),
        ((answer(403, "denied"),), "Key not permitted (HTTP 403)."),
        ((answer(402),), "Out of quota (HTTP 402)."),
        ((answer(429, "{}", {"retry-after": "30"}),), "Rate limited (HTTP 429, Retry-After 30)."),
        ((answer(429, "{}", {"retry-after": "inf"}),), "Rate limited (HTTP 429, Retry-After that is no time)."),
        ((answer(429, "{}", {"retry-after": "-1"}),), "Rate limited (HTTP 429, Retry-After that is no time)."),
        ((answer(429, "{}", {"retry-after": "nan"}),), "Rate limited (HTTP 429, Retry-After that is no time)."),
        ((answer(429, "{}", {"retry-after": "1e400"}),), "Rate limited (HTTP 429, Retry-After that is no time)."),
        (
            (answer(429, "{}", {"retry-after": "9" * 40}),),
            "Rate limited (HTTP 429, Retry-After that is no time).",
        ),
        (
            (answer(429, '{"error":{"type":"usage_limit_reached","resets_at":1900000000}}'),),
            "Out of quota (HTTP 429, usage_limit_reached, resets 1900000000).",
        ),
        ((answer(503),), "Provider error (HTTP 503)."),
        ((answer(418),), "Request rejected (HTTP 418)."),
        ((silence(), silence()), "No answer within 15 s."),
        (
            (answer(404), answer(404, NO_MODEL)),
            (
                "The model gpt-4o-mini is not known there (HTTP 404, model_not_found), "
                "which proves nothing: set probeModel."
            ),
        ),
    ],
)
def test_the_reason_is_a_sentence_a_person_understands(replies: tuple[Reply, ...], reason: str) -> None:
    assert judged(COMPAT, *replies).reason.text == reason


@pytest.mark.parametrize(("body", "remark"), [("13", "rightly"), ("about 12", "something else")])
def test_the_answer_to_a_sum_is_noted_and_never_counted(body: str, remark: str) -> None:
    settings = parse_settings({"accountSource": "api_key", "evidenceChecks": False, "probePromptMode": "math"})
    plan = planned(key_account(Section.CLAUDE), settings)
    expected = plan.prompt.expected or ""
    text = body.replace("13", expected).replace("12", "nothing")
    attempts = probe(plan, answer(200, f'{{"content":[{{"type":"text","text":"{text}"}}]}}'))

    judgement = judge(plan, attempts, settings)

    assert judgement.verdict is Verdict.HEALTHY
    assert judgement.reason.text.endswith(f"Asked {plan.prompt.text} it answered {remark}.")


def test_the_latency_is_that_of_the_request_that_counts() -> None:
    assert judged(COMPAT, silence(), answer(200, CHAT_BODY)).latency_ms == 250
    assert judged(COMPAT, silence(), answer(500)).latency_ms == 15_000


def test_known_secrets_are_taken_out_of_everything_that_is_kept() -> None:
    secret = "plainword"
    plan = planned(key_account(base_url=f"http://127.0.0.1/{secret}"))
    body = f'{{"error":{{"code":"{secret}","message":"bad key {secret}"}}}}'
    attempts = probe(plan, answer(401, body, {"X-Request-Id": secret, "Server": f"s {secret}"}))

    judgement = judge(plan, attempts, KEY_SETTINGS, Redactor([secret]))

    assert secret not in repr(judgement)
    assert HIDDEN in judgement.preview


@given(st.integers(100, 599), st.text(max_size=300), st.sampled_from([Section.CLAUDE, Section.COMPAT]))
def test_any_status_with_any_body_is_judged(status: int, body: str, section: Section) -> None:
    plan = planned(key_account(section))
    replies = [answer(status, body)] * (2 if status in {404, 405, 501} and section is Section.COMPAT else 1)

    judgement = judge(plan, probe(plan, *replies), KEY_SETTINGS)

    assert judgement.status == status
    assert judgement.reason.text.endswith(".") or "set probeModel" in judgement.reason.text
    assert (judgement.verdict in {Verdict.HEALTHY, Verdict.INCONCLUSIVE}) or status // 100 != 2
