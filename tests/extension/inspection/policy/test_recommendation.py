import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.port import NoAnswerKind, Section
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.evidence.verdict_table import NO_EVIDENCE, VERDICTS
from extension.inspection.policy.recommendation import recommend
from extension.inspection.probes.judgement import Judgement
from extension.inspection.requests.outcome import GatewayTrouble
from extension.inspection.settings import InspectionSettings, parse_settings
from extension.reasons.reason import ReasonList
from tests.extension.inspection.samples import KEY_SETTINGS, MESSAGES_BODY, Reply, answer, judged, key_account, silence

WHY = ReasonList(written="Why.")

CONFIGURABLE = parse_settings({"accountSource": "api_key", "evidenceChecks": False, "decisionPolicy": "configurable"})
STRICT = parse_settings(
    {
        "accountSource": "api_key",
        "evidenceChecks": False,
        "decisionPolicy": "configurable",
        "onQuota": "disable",
        "onServerError": "disable",
    }
)
QUOTA_BODY = '{"error":{"code":"insufficient_quota"}}'
RESET_BODY = '{"error":{"resets_at":1900000000}}'

# outcome, verdict, then the action under first_phase, configurable and configurable with both choices on disable
TABLE: list[tuple[Reply, str, str, str, str]] = [
    (answer(200, MESSAGES_BODY), "healthy", "enabled", "enabled", "enabled"),
    (answer(201, MESSAGES_BODY), "healthy", "enabled", "enabled", "enabled"),
    (answer(200, "<html>"), "inconclusive", "keep", "keep", "keep"),
    (answer(200, "hello"), "inconclusive", "keep", "keep", "keep"),
    (answer(204, ""), "inconclusive", "keep", "keep", "keep"),
    (answer(401), "invalid_key", "disable", "disable", "disable"),
    (answer(403), "forbidden", "disable", "disable", "disable"),
    (answer(402), "out_of_quota", "disable", "keep", "disable"),
    (answer(429, "{}", {"Retry-After": "9"}), "rate_limited", "disable", "keep", "disable"),
    (answer(429), "rate_limited", "disable", "keep", "disable"),
    (answer(429, QUOTA_BODY), "out_of_quota", "disable", "keep", "disable"),
    (answer(429, RESET_BODY), "out_of_quota", "disable", "keep", "disable"),
    *((answer(status), "rejected", "disable", "disable", "disable") for status in (400, 404, 405, 408, 418, 422, 451)),
    (answer(302), "rejected", "disable", "disable", "disable"),
    *((answer(status), "provider_error", "disable", "keep", "disable") for status in (500, 501, 502, 503, 504, 529)),
    *(
        (silence(kind), "unreachable", "disable", "disable", "disable")
        for kind in NoAnswerKind
        if kind not in {NoAnswerKind.BLOCKED, NoAnswerKind.PROXY}
    ),
    (silence(NoAnswerKind.BLOCKED), "unknown", "keep", "keep", "keep"),
    (silence(NoAnswerKind.PROXY), "unknown", "keep", "keep", "keep"),
    (GatewayTrouble(ReasonList(written="the gateway refuses our key")), "unknown", "keep", "keep", "keep"),
]
CASES = [
    (reply, verdict, enabled, policy, wish)
    for reply, verdict, *wishes in TABLE
    for policy, wish in zip(("first_phase", "configurable", "strict"), wishes, strict=True)
    for enabled in (True, False, None)
]
SETTINGS = {"first_phase": KEY_SETTINGS, "configurable": CONFIGURABLE, "strict": STRICT}


def expected(wish: str, enabled: bool | None) -> str:
    if wish == "enabled":
        return "enable" if enabled is False else "keep"
    if wish == "disable":
        return "keep" if enabled is False else "disable"
    return wish


def silent_as_often(reply: Reply, settings: InspectionSettings) -> list[Reply]:
    silent = judged_silent(reply)
    return [reply] * (1 + settings.retries) if silent else [reply]


def judged_silent(reply: Reply) -> bool:
    kind = getattr(reply, "kind", None)
    return kind is not None and kind not in {NoAnswerKind.BLOCKED, NoAnswerKind.PROXY}


@pytest.mark.parametrize(("reply", "verdict", "enabled", "policy", "wish"), CASES)
def test_every_outcome_comes_to_the_verdict_and_the_action_of_the_table(
    reply: Reply, verdict: str, enabled: bool | None, policy: str, wish: str
) -> None:
    settings = SETTINGS[policy]

    judgement = judged(key_account(Section.CLAUDE), *silent_as_often(reply, settings), settings=settings)
    recommendation = recommend(judgement, enabled, settings)

    assert judgement.verdict == verdict
    assert recommendation.action == expected(wish, enabled)


@pytest.mark.parametrize("enabled", [True, False, None])
@pytest.mark.parametrize("settings", SETTINGS.values(), ids=list(SETTINGS))
@pytest.mark.parametrize("verdict", sorted(NO_EVIDENCE))
def test_no_evidence_about_a_key_never_leads_to_an_action(
    verdict: Verdict, settings: InspectionSettings, enabled: bool | None
) -> None:
    assert recommend(Judgement(verdict, WHY), enabled, settings).action is Action.KEEP


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=list(SETTINGS))
@pytest.mark.parametrize("status", [200, 400, 401, 402, 403, 412, 429])
def test_trouble_that_a_relay_tells_without_a_5xx_disables_no_account(
    status: int, settings: InspectionSettings
) -> None:
    trouble = Judgement(Verdict.PROVIDER_ERROR, WHY, status=status)

    assert [recommend(trouble, enabled, settings).action for enabled in (True, False, None)] == [Action.KEEP] * 3


def test_the_verdicts_without_evidence_are_these() -> None:
    assert {verdict.value for verdict in NO_EVIDENCE} == {
        "inconclusive",
        "blocked",
        "no_base_url",
        "skipped",
        "unknown",
    }


def test_a_healthy_disabled_account_is_kept_where_enabling_is_not_allowed() -> None:
    healthy = Judgement(Verdict.HEALTHY, ReasonList(written="It works."))

    assert recommend(healthy, enabled=False, settings=KEY_SETTINGS, may_enable=False).action is Action.KEEP


@given(st.sampled_from(Verdict), st.sampled_from([True, False, None]), st.sampled_from(sorted(SETTINGS)), st.booleans())
def test_no_verdict_ever_deletes_a_key(verdict: Verdict, enabled: bool | None, policy: str, may: bool) -> None:
    recommendation = recommend(Judgement(verdict, WHY), enabled, SETTINGS[policy], may_enable=may)

    assert recommendation.action is not Action.DELETE
    assert recommendation.reason.text.startswith("Why.")


@given(st.sampled_from(Verdict), st.sampled_from(sorted(SETTINGS)))
def test_what_is_recommended_always_changes_something(verdict: Verdict, policy: str) -> None:
    for enabled, pointless in ((True, Action.ENABLE), (False, Action.DISABLE)):
        assert recommend(Judgement(verdict, WHY), enabled, SETTINGS[policy]).action is not pointless


def test_the_choices_count_only_under_the_configurable_policy() -> None:
    first_phase = parse_settings({"accountSource": "api_key", "onQuota": "keep", "onServerError": "keep"})

    assert recommend(Judgement(Verdict.OUT_OF_QUOTA, WHY), True, first_phase).action is Action.DISABLE


def test_the_reason_says_what_follows_where_that_is_not_plain() -> None:
    quota = Judgement(Verdict.OUT_OF_QUOTA, ReasonList(written="The balance is used up."))

    assert recommend(quota, False, KEY_SETTINGS).reason.text == "The balance is used up. Already disabled."
    assert recommend(quota, True, CONFIGURABLE).reason.text == "The balance is used up. The policy keeps such accounts."
    assert (
        "enabled again"
        in recommend(Judgement(Verdict.HEALTHY, ReasonList(written="It works.")), False, KEY_SETTINGS).reason.text
    )


def test_the_legend_explains_every_verdict() -> None:
    assert set(VERDICTS) == set(Verdict)
    assert all(row.label and row.meaning.endswith(".") for row in VERDICTS.values())
