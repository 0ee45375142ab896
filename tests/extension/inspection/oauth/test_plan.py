import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.port import NoAnswerKind
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.oauth.plan import OAuthPlan, next_check
from extension.inspection.oauth.types import GENERIC, TYPES, type_of
from extension.inspection.probes.plan import NoProbe, most_requests, next_request, plan_probe
from extension.inspection.requests.outcome import Attempt, GatewayTrouble
from extension.inspection.requests.vendors import Vendors
from extension.reasons.reason import ReasonList
from tests.extension.inspection.oauth.answers import (
    CHAT,
    OAUTH_SETTINGS,
    antigravity,
    codex,
    kimi,
    oauth_account,
    oauth_settings,
    plan_of,
    xai_credits,
    xai_monthly,
)
from tests.extension.inspection.samples import Reply, answer, chance, silence

BEARER = {"Accept": "application/json", "Authorization": "Bearer $TOKEN$"}
JSON = {"Content-Type": "application/json"}
SILENCE = silence(NoAnswerKind.TIMEOUT)


@pytest.mark.parametrize(
    ("kind", "addresses"),
    [
        ("codex", ["GET https://chatgpt.com/backend-api/wham/usage"]),
        ("claude", ["GET https://api.anthropic.com/api/oauth/usage"]),
        ("gemini-cli", ["POST https://cloudcode-pa.googleapis.com/v1internal:retrieveUserQuota"]),
        (
            "antigravity",
            [
                "POST https://daily-cloudcode-pa.googleapis.com/v1internal:retrieveUserQuotaSummary",
                "POST https://daily-cloudcode-pa.sandbox.googleapis.com/v1internal:retrieveUserQuotaSummary",
                "POST https://cloudcode-pa.googleapis.com/v1internal:retrieveUserQuotaSummary",
            ],
        ),
        (
            "kimi",
            ["GET https://api.kimi.com/coding/v1/usages", "POST https://api.kimi.com/coding/v1/chat/completions"],
        ),
        (
            "xai",
            [
                "GET https://cli-chat-proxy.grok.com/v1/billing?format=credits",
                "GET https://cli-chat-proxy.grok.com/v1/billing",
                "POST https://api.x.ai/v1/chat/completions",
            ],
        ),
    ],
)
def test_each_account_is_checked_by_its_own_type_whatever_the_run_targets(kind: str, addresses: list[str]) -> None:
    for target in ("all", kind, "claude"):
        plan = plan_of(kind, oauth_settings(targetType=target))

        assert [f"{request.method} {request.url}" for request in plan.requests] == addresses
        assert all(request.header["Authorization"] == "Bearer $TOKEN$" for request in plan.requests)


def test_a_type_nobody_knows_is_asked_at_its_own_address() -> None:
    plan = plan_of("somebody", base_url="http://127.0.0.1:9/v1/")

    assert (plan.type, type_of(oauth_account("somebody"))) == (GENERIC, GENERIC)
    assert [request.url for request in plan.requests] == [
        "http://127.0.0.1:9/v1/models",
        "http://127.0.0.1:9/v1/chat/completions",
    ]


@pytest.mark.parametrize(
    ("kind", "changes", "verdict", "reason"),
    [
        ("somebody", {"base_url": None}, Verdict.NO_BASE_URL, "set base_url in the file"),
        ("somebody", {"base_url": None, "unread": True}, Verdict.NO_BASE_URL, "neither lists it nor answers the file"),
        ("somebody", {"base_url": "ftp://relay"}, Verdict.NO_BASE_URL, "not an http or https address"),
        ("vertex", {}, Verdict.SKIPPED, "service account"),
        ("gemini-cli", {"vendor_project": ""}, Verdict.SKIPPED, "needs the project"),
        ("codex", {"probeable": False}, Verdict.SKIPPED, "cannot use this file now"),
    ],
)
def test_a_file_that_cannot_be_checked_is_not_and_the_reason_says_why(
    kind: str, changes: dict[str, object], verdict: Verdict, reason: str
) -> None:
    plan = plan_probe(oauth_account(kind, **changes), OAUTH_SETTINGS, chance(1))

    assert isinstance(plan, NoProbe)
    assert plan.verdict is verdict
    assert reason in plan.reason.text


def test_an_account_marked_as_never_to_be_probed_is_not() -> None:
    plan = plan_probe(oauth_account("codex"), OAUTH_SETTINGS, chance(1), never_probe=True)

    assert isinstance(plan, NoProbe)
    assert "Excluded from checks" in plan.reason.text


def test_the_headers_are_those_the_vendors_want() -> None:
    assert plan_of("codex").requests[0].header["Chatgpt-Account-Id"] == "account-7"
    assert "Chatgpt-Account-Id" not in plan_of("codex", vendor_account="").requests[0].header
    assert plan_of("claude").requests[0].header == {**BEARER, "anthropic-beta": "oauth-2025-04-20"}
    assert plan_of("gemini-cli").requests[0].header == {**BEARER, **JSON}
    assert json.loads(plan_of("gemini-cli").requests[0].body) == {"project": "project-7"}
    assert plan_of("antigravity").requests[0].body == "{}"
    assert plan_of("xai").requests[0].header["x-xai-token-auth"] == "xai-grok-cli"


def test_a_project_with_marks_of_its_own_stays_one_text() -> None:
    assert json.loads(plan_of("gemini-cli", vendor_project='a","x":"b').requests[0].body) == {"project": 'a","x":"b'}


def test_a_chat_asks_the_model_of_the_settings_else_of_the_file_else_of_the_type() -> None:
    def asked(plan: OAuthPlan) -> object:
        return json.loads(plan.requests[-1].body)["model"]

    assert asked(plan_of("xai")) == "grok-4.5"
    assert asked(plan_of("xai", models=("grok-own",))) == "grok-own"
    assert asked(plan_of("xai", oauth_settings(probeModel="grok-x"), models=("grok-own",))) == "grok-x"


def test_the_files_own_address_is_asked_where_the_type_has_paths() -> None:
    plan = plan_of("kimi", base_url="http://127.0.0.1:9/kimi/")

    assert plan.requests[0].url == "http://127.0.0.1:9/kimi/usages"


@pytest.mark.parametrize("kind", [kind for kind in TYPES if kind != GENERIC])
def test_a_stand_in_takes_the_place_of_every_vendor(kind: str) -> None:
    public = plan_of(kind).requests
    replaced = plan_of(kind, vendors=Vendors("http://127.0.0.1:9/vendors/")).requests

    assert [request.url for request in replaced] == [
        request.url.replace("https://", "http://127.0.0.1:9/vendors/") for request in public
    ]


SEQUENCES: list[tuple[str, list[Reply], int]] = [
    ("codex", [answer(200, codex(1, 2))], 1),
    ("codex", [answer(401)], 1),
    ("codex", [answer(500)], 1),
    ("codex", [SILENCE, answer(200, codex(1, 2))], 2),
    ("codex", [SILENCE, SILENCE], 2),
    ("codex", [GatewayTrouble(ReasonList(written="gone"))], 1),
    ("antigravity", [answer(200, antigravity((1, 2)))], 1),
    ("antigravity", [answer(503), answer(404), answer(200, antigravity((1, 2)))], 3),
    ("antigravity", [SILENCE, answer(200, antigravity((1, 2)))], 2),
    ("antigravity", [answer(429)], 1),
    ("kimi", [answer(200, kimi(1, 2))], 1),
    ("kimi", [answer(404), answer(200, CHAT)], 2),
    ("xai", [answer(200, xai_credits(1))], 1),
    ("xai", [answer(200, xai_credits(None)), answer(200, xai_monthly(1))], 2),
    ("xai", [answer(200, xai_credits(None)), answer(200, xai_monthly(None)), answer(200, CHAT)], 3),
    ("xai", [answer(401)], 1),
]


@pytest.mark.parametrize(("kind", "replies", "sent"), SEQUENCES)
def test_the_next_check_is_sent_only_while_nothing_is_settled(kind: str, replies: list[Reply], sent: int) -> None:
    plan = plan_of(kind)
    attempts: list[Attempt] = []
    while (request := next_check(plan, attempts)) is not None:
        attempts.append(Attempt(request, replies[len(attempts)]))

    assert len(attempts) == sent == len(replies)


REPLIES = st.sampled_from([answer(200), answer(200, CHAT), answer(401), answer(404), answer(500), SILENCE])


@given(st.sampled_from(sorted(TYPES)), st.lists(REPLIES, min_size=12, max_size=12), st.integers(0, 5))
def test_a_probe_ends_within_the_requests_told_before(kind: str, replies: list[Reply], retries: int) -> None:
    plan = plan_of(kind, oauth_settings(retries=retries), base_url="http://127.0.0.1:9")
    attempts: list[Attempt] = []
    while (request := next_request(plan, attempts)) is not None:
        attempts.append(Attempt(request, replies[len(attempts)]))

    assert 1 <= len(attempts) <= most_requests(plan)
