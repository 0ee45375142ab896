import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.inspection.accounts.account import Source
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.host_tally import HostTally
from extension.inspection.policy.plan import Candidate, Owner, Step, plan
from extension.inspection.settings import InspectionSettings, RealtimeAutoActions

NOBODY = HostTally({Verdict.HEALTHY: 99, Verdict.INVALID_KEY: 1, Verdict.PROVIDER_ERROR: 1})


def settings(mode: str = "disable", **changes: object) -> InspectionSettings:
    return InspectionSettings.model_validate({"accountSource": "api_key", "autoActionMode": mode, **changes})


def refused(*, handled: bool = False) -> Candidate:
    return Candidate(Source.API_KEY, Verdict.INVALID_KEY, Action.DISABLE, handled=handled)


def test_a_refused_key_is_disabled_once_enough_of_its_host_is_known() -> None:
    assert plan(refused(), settings(), NOBODY, run_ended=False).step is Step.APPLY


def test_without_automatic_actions_everything_is_left() -> None:
    assert plan(refused(), settings("none"), NOBODY, run_ended=True).step is Step.LEAVE


@pytest.mark.parametrize("run_ended", [True, False])
def test_what_was_handled_is_left_so_that_nothing_is_done_twice(run_ended: bool) -> None:
    assert plan(refused(handled=True), settings(), NOBODY, run_ended=run_ended).step is Step.LEAVE


def test_what_a_switch_does_not_let_through_is_applied_at_the_end() -> None:
    later = settings(realtimeAutoActions={"disable": False})

    assert plan(refused(), later, NOBODY, run_ended=False).step is Step.AT_THE_END
    assert plan(refused(), later, NOBODY, run_ended=True).step is Step.APPLY


@pytest.mark.parametrize(
    ("owner", "managed", "step"),
    [
        (Owner.AUTOMATION, False, Step.APPLY),
        (Owner.PERSON, False, Step.WITHHOLD),
        (Owner.UNKNOWN, False, Step.WITHHOLD),
        (Owner.PERSON, True, Step.APPLY),
        (Owner.UNKNOWN, True, Step.APPLY),
    ],
)
def test_automation_enables_only_what_it_disabled_or_was_handed_over(owner: Owner, managed: bool, step: Step) -> None:
    healthy = Candidate(Source.API_KEY, Verdict.HEALTHY, Action.ENABLE, owner, managed)

    assert plan(healthy, settings(), NOBODY, run_ended=False).step is step


@pytest.mark.parametrize(("run_ended", "step"), [(False, Step.WAIT), (True, Step.HOLD)])
def test_the_brake_speaks_last(run_ended: bool, step: Step) -> None:
    failing = Candidate(Source.API_KEY, Verdict.PROVIDER_ERROR, Action.DISABLE)
    planned = plan(failing, settings(), HostTally({Verdict.PROVIDER_ERROR: 3}), run_ended=run_ended)

    assert planned.step is step
    assert planned.hold is not None


CANDIDATES = st.builds(
    Candidate,
    source=st.just(Source.API_KEY),
    verdict=st.sampled_from(Verdict),
    recommended=st.sampled_from(Action),
    disabled_by=st.sampled_from(Owner),
    managed=st.booleans(),
    handled=st.booleans(),
)
SWITCHES = st.builds(RealtimeAutoActions, disable=st.booleans(), enable=st.booleans(), delete=st.booleans())


@given(CANDIDATES, SWITCHES, st.sampled_from(["none", "disable"]), st.booleans(), st.booleans())
def test_no_plan_deletes_a_key_or_acts_where_nothing_was_recommended(
    candidate: Candidate, switches: RealtimeAutoActions, mode: str, brakes: bool, run_ended: bool
) -> None:
    chosen = settings(mode, realtimeAutoActions=switches.model_dump(), brake=brakes)

    planned = plan(candidate, chosen, NOBODY, run_ended=run_ended)

    assert planned.action is not Action.DELETE
    assert (planned.action is None) is (planned.step is Step.LEAVE)
    assert candidate.recommended is not Action.KEEP or planned.step is Step.LEAVE
    assert not run_ended or planned.step not in {Step.WAIT, Step.AT_THE_END}
