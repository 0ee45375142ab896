import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.evidence.verdict_table import NO_EVIDENCE
from extension.inspection.policy.recommendation import recommend
from extension.inspection.policy.revocation import PastVerdict, is_confirmed
from extension.inspection.probes.judgement import Judgement
from extension.inspection.settings import parse_settings
from extension.reasons.reason import ReasonList

WHY = ReasonList(written="Why.")

MINUTE = 60_000
NOW = 1_800_000_000_000
TEN_AGO = NOW - 10 * MINUTE
OAUTH = parse_settings({"accountSource": "oauth"})
CONFIGURABLE = parse_settings({"accountSource": "oauth", "decisionPolicy": "configurable"})
KEYS = parse_settings({"accountSource": "api_key"})
REVOKED = Judgement(Verdict.REVOKED, ReasonList(written="It is withdrawn."))

HISTORIES = st.lists(
    st.builds(PastVerdict, st.sampled_from(Verdict), st.integers(NOW - 60 * MINUTE, NOW + MINUTE)), max_size=8
)


@pytest.mark.parametrize(
    ("history", "confirmed"),
    [
        ([], False),
        ([(Verdict.REVOKED, TEN_AGO)], True),
        ([(Verdict.REVOKED, TEN_AGO + 1)], False),
        ([(Verdict.REVOKED, NOW)], False),
        ([(Verdict.REVOKED, TEN_AGO), (Verdict.REVOKED, NOW - MINUTE)], True),
        ([(Verdict.REVOKED, TEN_AGO), (Verdict.HEALTHY, NOW - MINUTE)], False),
        ([(Verdict.REVOKED, TEN_AGO), (Verdict.RELOGIN_NEEDED, NOW - MINUTE)], False),
        ([(Verdict.REVOKED, TEN_AGO), (Verdict.OUT_OF_QUOTA, NOW - MINUTE)], False),
        ([(Verdict.HEALTHY, TEN_AGO - MINUTE), (Verdict.REVOKED, TEN_AGO)], True),
        ([(Verdict.REVOKED, TEN_AGO), (Verdict.UNKNOWN, NOW - MINUTE)], True),
        ([(Verdict.REVOKED, TEN_AGO), (Verdict.UNREACHABLE, NOW - MINUTE)], True),
        ([(Verdict.RELOGIN_NEEDED, TEN_AGO)], False),
        ([(Verdict.REVOKED, NOW + MINUTE)], False),
    ],
)
def test_a_revoked_log_in_is_certain_when_seen_twice_ten_minutes_apart(
    history: list[tuple[Verdict, int]], confirmed: bool
) -> None:
    sightings = [PastVerdict(verdict, at) for verdict, at in history]

    assert is_confirmed(sightings, NOW) is confirmed
    assert is_confirmed(reversed(sightings), NOW) is confirmed


@pytest.mark.parametrize("settings", [OAUTH, CONFIGURABLE])
@pytest.mark.parametrize("enabled", [True, False, None])
def test_only_then_is_the_file_deleted_whether_the_account_is_enabled_or_not(
    settings: object, enabled: bool | None
) -> None:
    chosen = OAUTH if settings is OAUTH else CONFIGURABLE
    twice = recommend(REVOKED, enabled, chosen, history=[PastVerdict(Verdict.REVOKED, TEN_AGO)], now=NOW)
    once = recommend(REVOKED, enabled, chosen, now=NOW)

    assert twice.action is Action.DELETE
    assert "Confirmed by an earlier check" in twice.reason.text
    assert once.action is (Action.KEEP if enabled is False else Action.DISABLE)


@given(HISTORIES, st.sampled_from(Verdict), st.sampled_from([True, False, None]), st.booleans())
def test_deletion_is_never_for_keys(
    history: list[PastVerdict], verdict: Verdict, enabled: bool | None, may: bool
) -> None:
    judgement = Judgement(verdict, WHY)

    assert recommend(judgement, enabled, KEYS, may_enable=may, history=history, now=NOW).action is not Action.DELETE


@given(
    HISTORIES, st.sampled_from(Verdict), st.sampled_from([True, False, None]), st.sampled_from([OAUTH, CONFIGURABLE])
)
def test_nothing_else_ever_yields_a_deletion(
    history: list[PastVerdict], verdict: Verdict, enabled: bool | None, settings: object
) -> None:
    chosen = OAUTH if settings is OAUTH else CONFIGURABLE
    action = recommend(Judgement(verdict, WHY), enabled, chosen, history=history, now=NOW).action

    earlier = [seen for seen in history if seen.verdict is Verdict.REVOKED and seen.at <= TEN_AGO]
    if action is Action.DELETE:
        assert verdict is Verdict.REVOKED
        assert earlier


@given(HISTORIES, st.sampled_from(sorted(NO_EVIDENCE)), st.sampled_from([True, False, None]))
def test_no_evidence_never_leads_to_an_action_whatever_was_seen_before(
    history: list[PastVerdict], verdict: Verdict, enabled: bool | None
) -> None:
    for settings in (OAUTH, CONFIGURABLE, KEYS):
        assert recommend(Judgement(verdict, WHY), enabled, settings, history=history, now=NOW).action is Action.KEEP
