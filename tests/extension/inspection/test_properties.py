"""What holds for every account, every answer and every setting, from the probe to the plan."""

from hypothesis import given
from hypothesis import strategies as st

from adapter.port import Account, NoAnswerKind, Section
from extension.inspection.accounts.account import Source, classify
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.evidence.verdict_table import NO_EVIDENCE
from extension.inspection.policy.host_tally import HostTally
from extension.inspection.policy.plan import Candidate, Owner, Planned, Step, plan
from extension.inspection.policy.recommendation import recommend
from extension.inspection.policy.revocation import PastVerdict
from extension.inspection.probes.controls import ControlAnswer, ControlRequest
from extension.inspection.probes.judgement import Judgement, judge, next_step
from extension.inspection.probes.plan import NoProbe, plan_probe
from extension.inspection.requests.outcome import Attempt, GatewayTrouble, Stage
from extension.inspection.settings import AUTO_ACTION_MODES, InspectionSettings, parse_settings
from extension.reasons.reason import ReasonList
from tests.extension.inspection.oauth.answers import CHAT, codex, kimi, oauth_account, xai_credits
from tests.extension.inspection.samples import MODELS_BODY, Reply, answer, chance, key_account, silence

NOW = 1_800_000_000_000
STATES = st.sampled_from([True, False, None])
ACCOUNTS = st.sampled_from(
    [
        *(key_account(section) for section in Section),
        key_account(base_url=None),
        key_account(None),
        key_account(probeable=False),
        *(oauth_account(kind) for kind in ("codex", "claude", "gemini-cli", "antigravity", "kimi", "xai", "vertex")),
        oauth_account("somebody", base_url="http://127.0.0.1:9"),
    ]
)
BODIES = st.sampled_from(
    [
        "",
        "{}",
        "<html>",
        MODELS_BODY,
        CHAT,
        codex(100, 10),
        codex(10, None),
        kimi(5, 100),
        xai_credits(100),
        '{"error":{"code":"token_revoked"}}',
        '{"error":{"code":"insufficient_quota"}}',
        '{"error":{"code":"model_not_found"}}',
    ]
)
REPLIES = st.one_of(
    st.builds(answer, st.sampled_from([200, 204, 302, 400, 401, 402, 403, 404, 405, 422, 429, 500, 501, 503]), BODIES),
    st.builds(silence, st.sampled_from(NoAnswerKind)),
    st.builds(GatewayTrouble, st.just(ReasonList(written="The gateway does not answer."))),
)
HISTORIES = st.lists(st.builds(PastVerdict, st.sampled_from(Verdict), st.integers(NOW - 3_600_000, NOW)), max_size=4)


@st.composite
def settings_of(draw: st.DrawFn, source: Source) -> InspectionSettings:
    return parse_settings(
        {
            "accountSource": source.value,
            "autoActionMode": draw(st.sampled_from(AUTO_ACTION_MODES[source])).value,
            "realtimeAutoActions": {name: draw(st.booleans()) for name in ("disable", "enable", "delete")},
            "decisionPolicy": draw(st.sampled_from(["first_phase", "configurable"])),
            "onQuota": draw(st.sampled_from(["keep", "disable"])),
            "onServerError": draw(st.sampled_from(["keep", "disable"])),
            "retries": draw(st.integers(0, 2)),
            "evidenceChecks": draw(st.booleans()),
            "checkDepth": draw(st.sampled_from(["connectivity", "usable"])),
            "brake": draw(st.booleans()),
            "shortWindowPercent": draw(st.integers(0, 100)),
        }
    )


def inspected(account: Account, replies: list[Reply], settings: InspectionSettings) -> Judgement:
    probe = plan_probe(account, settings, chance(1))
    attempts: list[Attempt] = []
    controls: dict[Stage, ControlAnswer | None] = {}
    while not isinstance(probe, NoProbe) and (step := next_step(probe, attempts, controls, settings)) is not None:
        reply = replies[(len(attempts) + len(controls)) % len(replies)]
        if isinstance(step, ControlRequest):
            controls[step.stage] = reply
        else:
            attempts.append(Attempt(step, reply))
    return judge(probe, attempts, settings, controls=controls)


def decided(
    source: Source, judgement: Judgement, recommended: Action, settings: InspectionSettings, *, handled: bool = False
) -> Planned:
    candidate = Candidate(source, judgement.verdict, recommended, Owner.AUTOMATION, handled=handled)
    return plan(candidate, settings, HostTally({Verdict.HEALTHY: 99, judgement.verdict: 1}), run_ended=True)


@given(st.data(), ACCOUNTS, st.lists(REPLIES, min_size=1, max_size=6), STATES, HISTORIES)
def test_no_evidence_never_leads_to_an_action_and_a_key_is_never_deleted(
    data: st.DataObject, account: Account, replies: list[Reply], enabled: bool | None, history: list[PastVerdict]
) -> None:
    source = classify(account)
    settings = data.draw(settings_of(source))
    judgement = inspected(account, replies, settings)
    advice = recommend(judgement, enabled, settings, history=history, now=NOW)
    planned = decided(source, judgement, advice.action, settings)

    if judgement.verdict in NO_EVIDENCE:
        assert (advice.action, planned.step) == (Action.KEEP, Step.LEAVE)
    if all(isinstance(reply, GatewayTrouble) for reply in replies):
        assert judgement.verdict in {Verdict.UNKNOWN, Verdict.SKIPPED, Verdict.NO_BASE_URL}
    if source is Source.API_KEY:
        assert Action.DELETE not in {advice.action, planned.action}
    if Action.DELETE in {advice.action, planned.action}:
        assert judgement.verdict is Verdict.REVOKED


@given(st.data(), ACCOUNTS, st.lists(REPLIES, min_size=1, max_size=6), STATES)
def test_a_plan_is_idempotent(
    data: st.DataObject, account: Account, replies: list[Reply], enabled: bool | None
) -> None:
    source = classify(account)
    settings = data.draw(settings_of(source))
    judgement = inspected(account, replies, settings)
    advice = recommend(judgement, enabled, settings)
    first = decided(source, judgement, advice.action, settings)

    assert decided(source, judgement, advice.action, settings) == first
    assert decided(source, judgement, advice.action, settings, handled=True).step is Step.LEAVE
    becomes = {Action.DISABLE: False, Action.ENABLE: True}
    if first.action in becomes:
        after = recommend(judgement, becomes[first.action], settings)
        assert after.action is Action.KEEP
        assert decided(source, judgement, after.action, settings).step is Step.LEAVE
