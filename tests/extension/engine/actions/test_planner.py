from hypothesis import given
from hypothesis import strategies as st

from extension.engine.actions.planner import ActionPlanner, JudgedAccount
from extension.inspection.accounts.account import Source
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.plan import Owner
from extension.inspection.settings import AUTO_ACTION_MODES, parse_settings
from extension.reasons.reason import ReasonList
from extension.store.records import NewResult

MODES = [(source, mode) for source, modes in AUTO_ACTION_MODES.items() for mode in modes]
FOUND = st.tuples(
    st.sampled_from(Verdict),
    st.sampled_from(Action),
    st.sampled_from(["http://one", "http://two"]),
    st.booleans(),
    st.booleans(),
)


def entry(seq: int, source: Source, finding: tuple[Verdict, Action, str, bool, bool]) -> JudgedAccount:
    verdict, action, host, enabled, handled = finding
    result = NewResult(
        run_id=1,
        account_id=seq,
        account_source=source.value,
        family="",
        display_name="",
        provider="",
        base_url=host,
        enabled=enabled,
        verdict=verdict.value,
        action=action.value,
        reason=ReasonList(written="Why."),
        status=None,
        latency_ms=None,
        attempts=(),
        preview="",
        headers={},
        at=0,
    )
    return JudgedAccount(seq, result, Owner.AUTOMATION, handled=handled)


@given(st.sampled_from(MODES), st.lists(FOUND, max_size=60), st.booleans(), st.integers(0, 30))
def test_no_account_is_decided_twice_however_its_results_come_in(
    mode: tuple[Source, object], findings: list[tuple[Verdict, Action, str, bool, bool]], brakes: bool, minimum: int
) -> None:
    source, name = mode
    options = {"accountSource": source, "autoActionMode": name, "brake": brakes, "brakeMinimum": minimum}
    planner = ActionPlanner(parse_settings(options))
    entries = [entry(seq, source, finding) for seq, finding in enumerate(findings)]
    at_once = [decision for judged in entries for decision in planner.enter(judged)]
    applied, on_hold = planner.close()

    numbers = [decision.entry.seq for decision in (*at_once, *applied, *on_hold)]
    assert len(numbers) == len(set(numbers))
    assert not {judged.seq for judged in entries if judged.handled} & set(numbers)
    assert planner.close() == ([], [])
