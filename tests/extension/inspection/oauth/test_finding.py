import pytest

from adapter.port import NoAnswerKind
from adapter.privacy.secret import Redactor
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.oauth.types import REVOKED_CODES, TYPES
from extension.inspection.policy.recommendation import recommend
from extension.inspection.probes.judgement import Judgement, judge
from extension.inspection.probes.plan import next_request
from extension.inspection.requests.outcome import Attempt, GatewayTrouble
from extension.inspection.settings import InspectionSettings
from extension.reasons.reason import ReasonList
from tests.extension.inspection.oauth.answers import (
    CHAT,
    OAUTH_SETTINGS,
    RESET_MS,
    antigravity,
    claude,
    codex,
    gemini_cli,
    kimi,
    oauth_settings,
    plan_of,
    xai_credits,
    xai_monthly,
)
from tests.extension.inspection.samples import Reply, answer, silence

SILENCE = silence(NoAnswerKind.TIMEOUT)
CONFIGURABLE = oauth_settings(decisionPolicy="configurable")
STRICT = oauth_settings(decisionPolicy="configurable", onQuota="disable", onServerError="disable")
POLICIES = {"first_phase": OAUTH_SETTINGS, "configurable": CONFIGURABLE, "strict": STRICT}
LIMIT = '{"error":{"type":"usage_limit_reached","resets_at":1893474000}}'
NO_MODEL = '{"error":{"code":"model_not_found","message":"The model does not exist"}}'


def judged(kind: str, *replies: Reply, settings: InspectionSettings = OAUTH_SETTINGS) -> Judgement:
    plan = plan_of(kind, settings)
    attempts: list[Attempt] = []
    remaining = list(replies)
    while (request := next_request(plan, attempts)) is not None:
        attempts.append(Attempt(request, remaining.pop(0) if len(remaining) > 1 else remaining[0]))
    return judge(plan, attempts, settings)


# type, answers (the last one repeats), verdict, then the action under first_phase, configurable, and configurable with
# both choices on disable; "enabled" is keep for an enabled account and enable for a disabled one
TABLE: list[tuple[str, tuple[Reply, ...], str, str, str, str]] = [
    *(
        (kind, (answer(200, body),), "healthy", "enabled", "enabled", "enabled")
        for kind, body in (
            ("codex", codex(10, 99)),
            ("claude", claude(10, 99)),
            ("gemini-cli", gemini_cli(10, 100)),
            ("antigravity", antigravity((100, 10), (10, 10))),
            ("kimi", kimi(10, 99)),
            ("xai", xai_credits(99)),
        )
    ),
    *(
        (kind, (answer(200, body),), "out_of_quota", "disable", "keep", "disable")
        for kind, body in (
            ("codex", codex(100, 10)),
            ("codex", codex(10, 100)),
            ("codex", codex(None, 100)),
            ("codex", codex(10, 10, limit_reached=True)),
            ("claude", claude(100, 10)),
            ("claude", claude(10, 100)),
            ("gemini-cli", gemini_cli(100, 100)),
            ("antigravity", antigravity((100, 10), (10, 100))),
            ("kimi", kimi(100, 10)),
            ("kimi", kimi(10, 100)),
            ("xai", xai_credits(100)),
        )
    ),
    *(
        (kind, (answer(200, body),), "inconclusive", "keep", "keep", "keep")
        for kind, body in (
            ("codex", codex(None, 10)),
            ("codex", "{}"),
            ("codex", "<html>"),
            ("codex", "[]"),
            ("claude", claude(10, None)),
            ("gemini-cli", gemini_cli(None, 100)),
            ("antigravity", antigravity((10, None))),
            ("kimi", '{"user":{}}'),
        )
    ),
    ("kimi", (answer(404), answer(200, CHAT)), "healthy", "enabled", "enabled", "enabled"),
    ("xai", (answer(200, "{}"), answer(200, xai_monthly(10))), "healthy", "enabled", "enabled", "enabled"),
    ("xai", (answer(200, "{}"), answer(200, "{}"), answer(200, CHAT)), "healthy", "enabled", "enabled", "enabled"),
    ("xai", (answer(200, "{}"), answer(200, "{}"), answer(429, LIMIT)), "out_of_quota", "disable", "keep", "disable"),
    ("xai", (answer(200, "{}"), answer(200, "{}"), answer(403)), "forbidden", "disable", "disable", "disable"),
    ("xai", (answer(200, "{}"), answer(200, "{}"), answer(404, NO_MODEL)), "inconclusive", "keep", "keep", "keep"),
    ("xai", (answer(200, "{}"), answer(200, "{}"), SILENCE), "inconclusive", "keep", "keep", "keep"),
    ("antigravity", (answer(500), answer(200, antigravity((1, 1)))), "healthy", "enabled", "enabled", "enabled"),
    ("codex", (answer(401),), "relogin_needed", "disable", "disable", "disable"),
    ("codex", (answer(402),), "out_of_quota", "disable", "keep", "disable"),
    ("codex", (answer(403),), "forbidden", "disable", "disable", "disable"),
    ("codex", (answer(429),), "rate_limited", "disable", "keep", "disable"),
    ("codex", (answer(451),), "rejected", "disable", "disable", "disable"),
    ("codex", (answer(500),), "provider_error", "disable", "keep", "disable"),
    ("codex", (answer(503),), "provider_error", "disable", "keep", "disable"),
    ("codex", (answer(400),), "inconclusive", "keep", "keep", "keep"),
    ("codex", (answer(404),), "inconclusive", "keep", "keep", "keep"),
    ("codex", (answer(405),), "inconclusive", "keep", "keep", "keep"),
    ("codex", (answer(422),), "inconclusive", "keep", "keep", "keep"),
    ("codex", (answer(426),), "inconclusive", "keep", "keep", "keep"),
    ("codex", (answer(302),), "inconclusive", "keep", "keep", "keep"),
    ("codex", (answer(429, LIMIT),), "out_of_quota", "disable", "keep", "disable"),
    ("codex", (answer(403, "<html>just a moment"),), "inconclusive", "keep", "keep", "keep"),
    ("codex", (SILENCE,), "unreachable", "disable", "disable", "disable"),
    ("codex", (silence(NoAnswerKind.BLOCKED),), "unknown", "keep", "keep", "keep"),
    (
        "codex",
        (GatewayTrouble(ReasonList(written="auth token refresh failed")),),
        "unknown",
        "keep",
        "keep",
        "keep",
    ),
    ("codex", (answer(401, '{"error":{"code":"token_expired"}}'),), "relogin_needed", "disable", "disable", "disable"),
    ("codex", (answer(401, '{"error":{"code":"token_invalidated"}}'),), "revoked", "disable", "disable", "disable"),
    (
        "codex",
        (answer(402, '{"detail":{"code":"deactivated_workspace"}}'),),
        "revoked",
        "disable",
        "disable",
        "disable",
    ),
]
CASES = [
    (kind, replies, verdict, POLICIES[policy], (enabled, wish))
    for kind, replies, verdict, *wishes in TABLE
    for policy, wish in zip(POLICIES, wishes, strict=True)
    for enabled in (True, False, None)
]


@pytest.mark.parametrize(("kind", "replies", "verdict", "settings", "case"), CASES)
def test_every_outcome_of_a_check_comes_to_the_verdict_and_the_action_of_the_table(
    kind: str, replies: tuple[Reply, ...], verdict: str, settings: InspectionSettings, case: tuple[bool | None, str]
) -> None:
    enabled, wish = case
    judgement = judged(kind, *replies, settings=settings)

    pointless = wish == "disable" and enabled is False
    becomes = "enable" if enabled is False else "keep"
    expected = "keep" if pointless else becomes if wish == "enabled" else wish
    assert judgement.verdict == verdict
    assert recommend(judgement, enabled, settings).action == expected


@pytest.mark.parametrize("kind", sorted(TYPES))
@pytest.mark.parametrize("status", [400, 401, 402, 403])
def test_each_listed_code_means_revoked_whatever_the_status(kind: str, status: int) -> None:
    settings = oauth_settings()
    plan = plan_of(kind, settings, base_url="http://127.0.0.1:9")
    for code in REVOKED_CODES | TYPES[kind].revoked:
        request = next_request(plan, [])
        assert request is not None
        attempt = Attempt(request, answer(status, f'{{"error":{{"code":"{code}"}}}}'))

        assert judge(plan, [attempt], settings).verdict is Verdict.REVOKED


def test_words_without_a_listed_code_never_mean_revoked() -> None:
    body = '{"error":{"code":"invalid_token","message":"token_revoked: this token has been revoked for good"}}'

    assert judged("codex", answer(401, body)).verdict is Verdict.RELOGIN_NEEDED
    assert judged("claude", answer(401, '{"error":{"code":"token_invalidated"}}')).verdict is Verdict.RELOGIN_NEEDED


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, Verdict.HEALTHY),
        ({"shortWindowPercent": 80}, Verdict.OUT_OF_QUOTA),
        ({"longWindowPercent": 80}, Verdict.HEALTHY),
        ({"longWindowPercent": 60}, Verdict.OUT_OF_QUOTA),
        ({"shortWindowPercent": 0, "longWindowPercent": 0}, Verdict.HEALTHY),
    ],
)
def test_the_thresholds_are_chosen_per_window(changes: dict[str, int], verdict: Verdict) -> None:
    assert judged("codex", answer(200, codex(85, 65)), settings=oauth_settings(**changes)).verdict is verdict


def test_a_window_that_is_used_up_is_named_with_the_time_of_its_reset() -> None:
    judgement = judged("codex", answer(200, codex(10, 100)))

    assert judgement.resets_at == RESET_MS
    assert [window.title for window in judgement.windows] == ["5 h", "weekly"]
    assert "threshold: weekly" in judgement.reason.text
    assert "It resets 2030-01-01 05:00 UTC." in judgement.reason.text


def test_the_reason_of_a_healthy_account_tells_its_windows() -> None:
    assert "(5 h 10 %, weekly 99 %)." in judged("claude", answer(200, claude(10, 99))).reason.text


def test_what_a_vendor_repeats_of_a_token_is_not_kept() -> None:
    plan = plan_of("codex")
    request = next_request(plan, [])
    assert request is not None
    body = '{"error":{"code":"invalid_token","message":"Bad token very-secret-token"}}'
    judgement = judge(plan, [Attempt(request, answer(401, body))], OAUTH_SETTINGS, Redactor(["very-secret-token"]))

    assert "very-secret-token" not in repr(judgement)
    assert judgement.preview
