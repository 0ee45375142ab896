import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.circuit_breaker import KEY_FAILURES, Braking, Failure, brake
from extension.inspection.policy.host_tally import HostTally
from extension.inspection.policy.streak import NO_STREAK, Streak
from extension.inspection.settings import InspectionSettings, parse_settings
from extension.reasons.codes import HoldCode

ON = parse_settings({"accountSource": "api_key"})
OFF = parse_settings({"accountSource": "api_key", "brake": False})
TROUBLE, HEALTHY = Verdict.PROVIDER_ERROR, Verdict.HEALTHY
MINUTE = 60_000
DAY = 24 * 60 * MINUTE
NOW = 30 * DAY
LASTING = Streak(1, NOW - 10 * MINUTE)
"""An earlier run found the same ten minutes before."""
FAILURES = [Verdict.INVALID_KEY, Verdict.FORBIDDEN, Verdict.RELOGIN_NEEDED, Verdict.REVOKED, TROUBLE]


def host(trouble: int, healthy: int, verdict: Verdict = TROUBLE) -> HostTally:
    return HostTally({verdict: trouble, HEALTHY: healthy})


def landed(*runs: tuple[Verdict, int], sent_at: int = -1) -> HostTally:
    tally = HostTally()
    for verdict, count in runs:
        for _ in range(count):
            tally.add(verdict, sent_at=sent_at)
    return tally


def code_of(failure: Failure, tally: HostTally, *, run_ended: bool = True, action: Action = Action.DISABLE) -> str:
    """Return the decision, or the code of the reason where it is on hold."""
    braking, reason = brake(action, failure, tally, ON, run_ended=run_ended)
    return braking if reason is None or braking is Braking.WAIT else reason.code


@pytest.mark.parametrize(
    ("trouble", "healthy", "run_ended", "braking"),
    [
        (1, 0, False, "wait"),
        (10, 9, False, "wait"),
        (10, 10, False, "hold"),
        (9, 11, False, "go"),
        (20, 0, False, "hold"),
        (1, 2, True, "go"),
        (1, 1, True, "hold"),
    ],
)
@pytest.mark.parametrize("action", [Action.DISABLE, Action.DELETE])
def test_what_fails_waits_then_goes_or_is_held(
    trouble: int, healthy: int, run_ended: bool, braking: str, action: Action
) -> None:
    refused = Verdict.INVALID_KEY

    said, reason = brake(action, Failure(refused), host(trouble, healthy, refused), ON, run_ended=run_ended)

    assert said == braking
    assert bool(reason) is (said is not Braking.GO)


def test_the_reason_of_a_held_action_counts_who_failed_alike() -> None:
    _, reason = brake(Action.DISABLE, Failure(TROUBLE), host(18, 4), ON, run_ended=False)

    assert reason is not None
    assert (reason.code, dict(reason.parameters)) == (HoldCode.SHARED_FAILURE, {"alike": 18, "probes": 22})
    assert "18 of 22 probes of this host failed the same way" in reason.text


@pytest.mark.parametrize("verdict", FAILURES)
def test_a_failure_waits_for_later_probes_of_its_host_whatever_its_status(verdict: Verdict) -> None:
    tally = landed((HEALTHY, 30), (verdict, 1))
    failure = Failure(verdict, place=30, at=NOW, streak=LASTING)

    assert code_of(failure, tally, run_ended=False) == "wait"
    for _ in range(19):
        tally.add(HEALTHY)
    assert code_of(failure, tally, run_ended=False) == "wait"
    tally.add(HEALTHY)
    assert code_of(failure, tally, run_ended=False) == "go"


@pytest.mark.parametrize(("verdict", "after"), [*((verdict, "go") for verdict in FAILURES[:4]), (TROUBLE, "wait")])
def test_a_refused_key_goes_at_once_when_another_of_its_route_worked_after_it(verdict: Verdict, after: str) -> None:
    tally = landed((HEALTHY, 30), (verdict, 1), sent_at=NOW - 1)
    failure = Failure(verdict, place=30, at=NOW)

    tally.add(HEALTHY, sent_at=NOW - 1)
    assert code_of(failure, tally, run_ended=False) == "wait"
    tally.add(HEALTHY, "another proxy", sent_at=NOW + 1)
    assert code_of(failure, tally, run_ended=False) == "wait"
    tally.add(HEALTHY, sent_at=NOW)
    assert code_of(failure, tally, run_ended=False) == after


def test_a_small_host_is_decided_at_the_end_of_the_run() -> None:
    tally = landed((HEALTHY, 10), (Verdict.INVALID_KEY, 1), (HEALTHY, 1), sent_at=NOW)
    failure = Failure(Verdict.INVALID_KEY, place=10, at=NOW)

    assert code_of(failure, tally, run_ended=False) == "wait"
    assert code_of(failure, tally) == "go"
    assert code_of(failure, landed((HEALTHY, 1), (Verdict.INVALID_KEY, 1))) == HoldCode.SHARED_FAILURE


@pytest.mark.parametrize("verdict", FAILURES)
def test_a_route_on_which_nothing_works_is_on_hold_also_in_the_first_run(verdict: Verdict) -> None:
    assert code_of(Failure(verdict, at=NOW), landed((verdict, 2))) == HoldCode.NO_SUCCESS
    other = landed((verdict, 2))
    for _ in range(98):
        other.add(HEALTHY, "another proxy")
    assert code_of(Failure(verdict, at=NOW), other) == HoldCode.NO_SUCCESS


@pytest.mark.parametrize(
    ("streak", "code"),
    [
        (Streak(2, NOW - DAY), "go"),
        (Streak(9, NOW - DAY), "go"),
        (Streak(1, NOW - 2 * DAY), HoldCode.NO_SUCCESS),
        (Streak(9, NOW - DAY + 1), HoldCode.NO_SUCCESS),
        (NO_STREAK, HoldCode.NO_SUCCESS),
    ],
)
def test_it_goes_when_three_runs_over_a_day_agree(streak: Streak, code: str) -> None:
    assert code_of(Failure(Verdict.INVALID_KEY, at=NOW, streak=streak), landed((Verdict.INVALID_KEY, 40))) == code


@pytest.mark.parametrize("verdict", [*FAILURES, Verdict.OUT_OF_QUOTA])
@pytest.mark.parametrize("run_ended", [True, False])
def test_a_failure_alone_on_its_host_waits_for_a_second_run_ten_minutes_on(verdict: Verdict, run_ended: bool) -> None:
    first = "first_failure" if verdict is TROUBLE else "first_refusal"
    streaks = {NO_STREAK: first, Streak(1, NOW - 9 * MINUTE): first, LASTING: "go"}
    tally = landed((verdict, 1))

    assert {
        streak: code_of(Failure(verdict, at=NOW, alone=True, streak=streak), tally, run_ended=run_ended)
        for streak in streaks
    } == streaks


@pytest.mark.parametrize(("streak", "code"), [(NO_STREAK, "first_refusal"), (LASTING, "go")])
@pytest.mark.parametrize("others", [2, 9])
def test_so_does_a_refused_key_alone_on_its_route_beside_others_of_its_host(
    streak: Streak, code: str, others: int
) -> None:
    tally = landed((Verdict.INVALID_KEY, 1))
    for _ in range(others):
        tally.add(HEALTHY, "another proxy")
    failure = Failure(Verdict.INVALID_KEY, place=0, at=NOW, alone=False, streak=streak)

    assert code_of(failure, tally) == code


def test_one_of_several_keys_of_a_host_is_not_alone_because_the_run_probed_no_other() -> None:
    sampled = Failure(Verdict.INVALID_KEY, alone=False)

    assert code_of(sampled, landed((Verdict.INVALID_KEY, 1))) == HoldCode.SHARED_FAILURE


@pytest.mark.parametrize(
    ("verdict", "failed", "streak", "code"),
    [
        (Verdict.INVALID_KEY, 30, NO_STREAK, HoldCode.SHARED_FAILURE),
        (Verdict.INVALID_KEY, 30, Streak(1, NOW - 1), "go"),
        (Verdict.INVALID_KEY, 30, Streak(2, NOW - DAY), "go"),
        (Verdict.INVALID_KEY, 3, NO_STREAK, HoldCode.SHARED_FAILURE),
        (Verdict.INVALID_KEY, 3, Streak(1, NOW - 1), "go"),
        (TROUBLE, 30, Streak(5, NOW - DAY), HoldCode.SHARED_FAILURE),
        (TROUBLE, 3, Streak(1, NOW - 9 * MINUTE), HoldCode.SHARED_FAILURE),
        (TROUBLE, 3, Streak(1, NOW - 10 * MINUTE), "go"),
    ],
)
def test_beside_an_account_that_works_a_failure_goes_once_an_earlier_run_found_it(
    verdict: Verdict, failed: int, streak: Streak, code: str
) -> None:
    assert code_of(Failure(verdict, at=NOW, streak=streak), landed((verdict, failed), (HEALTHY, failed))) == code


def test_a_wall_in_front_of_a_host_counts_with_its_403() -> None:
    tally = landed((Verdict.BLOCKED, 29), (Verdict.FORBIDDEN, 1), (HEALTHY, 10))

    assert code_of(Failure(Verdict.FORBIDDEN, place=29), tally) == HoldCode.SHARED_FAILURE


@pytest.mark.parametrize("action", [Action.ENABLE, Action.KEEP])
def test_only_disabling_and_deleting_are_braked(action: Action) -> None:
    assert code_of(Failure(TROUBLE), host(50, 0), run_ended=False, action=action) == "go"


@given(st.sampled_from(Action), st.sampled_from(Verdict), st.integers(0, 99), st.integers(0, 99), st.booleans())
def test_off_is_the_literal_policy(action: Action, verdict: Verdict, trouble: int, healthy: int, ended: bool) -> None:
    assert brake(action, Failure(verdict), host(trouble, healthy), OFF, run_ended=ended)[0] is Braking.GO


STREAKS = st.builds(Streak, st.integers(0, 9), st.integers(NOW - 3 * DAY, NOW))
TALLIES = st.lists(st.tuples(st.sampled_from(Verdict), st.sampled_from(["", "proxy"]), st.integers(NOW - 9, NOW + 9)))


@given(
    TALLIES, st.sampled_from([*KEY_FAILURES, TROUBLE, Verdict.RATE_LIMITED]), STREAKS, st.booleans(), st.integers(0, 9)
)
def test_nothing_waits_beyond_the_end_and_nothing_goes_where_nothing_works_but_after_a_day(
    probes: list[tuple[Verdict, str, int]], verdict: Verdict, streak: Streak, ended: bool, minimum: int
) -> None:
    settings: InspectionSettings = ON.model_copy(update={"brake_minimum": minimum})
    tally = HostTally()
    place = tally.add(verdict)
    for each, route, sent_at in probes:
        tally.add(each, route, sent_at=sent_at)
    failure = Failure(verdict, place=place, at=NOW, streak=streak)

    said, _ = brake(Action.DISABLE, failure, tally, settings, run_ended=ended)

    assert not (ended and said is Braking.WAIT)
    own = tally.route("")
    if own.probes > 1 and not own.successes and not streak.is_settled(NOW):
        assert said is not Braking.GO


@given(st.integers(1, 99), st.integers(0, 99), st.integers(0, 200), st.floats(0, 1))
def test_trouble_is_held_at_the_end_from_the_share_on(trouble: int, healthy: int, minimum: int, share: float) -> None:
    settings: InspectionSettings = ON.model_copy(update={"brake_minimum": minimum, "brake_share": share})

    said, reason = brake(Action.DISABLE, Failure(TROUBLE), host(trouble, healthy), settings, run_ended=True)

    assert said is Braking.HOLD
    assert reason is not None
    assert (reason.code is HoldCode.TEMPORARY) is (trouble / (trouble + healthy) < share)


@pytest.mark.parametrize("verdict", FAILURES)
@pytest.mark.parametrize(("before", "stretch", "place"), [((10, 10), 9, 29), ((30, 10), 9, 30)])
def test_a_failure_at_the_edge_of_a_stretch_of_failures_is_held(
    verdict: Verdict, before: tuple[int, int], stretch: int, place: int
) -> None:
    if place == before[0]:
        tally = landed((HEALTHY, before[0]), (verdict, 1), (HEALTHY, 10), (verdict, stretch), (HEALTHY, 10))
    else:
        tally = landed((HEALTHY, 10), (verdict, stretch), (HEALTHY, 10), (verdict, 1), (HEALTHY, 30))
    assert tally.share(verdict) < ON.brake_share
    assert tally.worst_around(place, verdict, 20) == ON.brake_share

    said, reason = brake(Action.DISABLE, Failure(verdict, place=place), tally, ON, run_ended=True)

    assert said is Braking.HOLD
    assert reason is not None
    assert "20 probes of this host around it" in reason.text
