import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.circuit_breaker import Braking, HostTally, brake
from extension.inspection.settings import InspectionSettings, parse_settings

ON = parse_settings({"accountSource": "api_key"})
OFF = parse_settings({"accountSource": "api_key", "brake": False})
TROUBLE, HEALTHY = Verdict.PROVIDER_ERROR, Verdict.HEALTHY


def host(trouble: int, healthy: int) -> HostTally:
    return HostTally({TROUBLE: trouble, HEALTHY: healthy})


@pytest.mark.parametrize(
    ("trouble", "healthy", "run_ended", "braking"),
    [
        (1, 0, False, "wait"),
        (10, 9, False, "wait"),
        (10, 10, False, "hold"),
        (9, 11, False, "go"),
        (20, 0, False, "hold"),
        (1, 0, True, "hold"),
        (1, 2, True, "go"),
        (1, 1, True, "hold"),
    ],
)
def test_disabling_for_trouble_waits_then_goes_or_is_held(
    trouble: int, healthy: int, run_ended: bool, braking: str
) -> None:
    said, reason = brake(Action.DISABLE, TROUBLE, host(trouble, healthy), ON, run_ended=run_ended)

    assert said == braking
    assert bool(reason) is (said is not Braking.GO)


def test_the_reason_of_a_held_action_counts_who_failed_alike() -> None:
    _, reason = brake(Action.DISABLE, TROUBLE, host(18, 4), ON, run_ended=False)

    assert "18 of 22 probes of this host failed the same way" in reason


@pytest.mark.parametrize("verdict", [Verdict.INVALID_KEY, Verdict.FORBIDDEN, Verdict.RELOGIN_NEEDED, Verdict.REVOKED])
def test_a_refused_key_is_never_held(verdict: Verdict) -> None:
    assert brake(Action.DISABLE, verdict, HostTally({verdict: 50}), ON, run_ended=False) == (Braking.GO, "")


@pytest.mark.parametrize("action", [Action.ENABLE, Action.KEEP, Action.DELETE])
def test_only_disabling_is_braked(action: Action) -> None:
    assert brake(action, TROUBLE, host(50, 0), ON, run_ended=False)[0] is Braking.GO


@given(st.sampled_from(Action), st.sampled_from(Verdict), st.integers(0, 99), st.integers(0, 99), st.booleans())
def test_off_is_the_literal_policy(action: Action, verdict: Verdict, trouble: int, healthy: int, ended: bool) -> None:
    assert brake(action, verdict, host(trouble, healthy), OFF, run_ended=ended)[0] is Braking.GO


@given(st.integers(1, 99), st.integers(0, 99), st.integers(0, 200), st.floats(0, 1))
def test_nothing_waits_beyond_the_end_of_a_run(trouble: int, healthy: int, minimum: int, share: float) -> None:
    settings: InspectionSettings = ON.model_copy(update={"brake_minimum": minimum, "brake_share": share})

    said, _ = brake(Action.DISABLE, TROUBLE, host(trouble, healthy), settings, run_ended=True)

    assert said is (Braking.HOLD if trouble / (trouble + healthy) >= share else Braking.GO)


def test_unprobed_accounts_are_no_probes_of_their_host() -> None:
    counted, empty = HostTally(), HostTally()
    for verdict in (TROUBLE, HEALTHY, Verdict.UNKNOWN, TROUBLE):
        counted.add(verdict)
    empty.add(Verdict.NO_BASE_URL)

    assert (counted.probes, empty.probes) == (3, 0)
    assert counted.share(TROUBLE) == 2 / 3
    assert empty.share(TROUBLE) == 0


def landed(*runs: tuple[Verdict, int]) -> HostTally:
    tally = HostTally()
    for verdict, count in runs:
        for _ in range(count):
            tally.add(verdict)
    return tally


@given(st.lists(st.booleans(), min_size=1, max_size=40), st.integers(1, 25), st.data())
def test_the_worst_share_is_that_of_the_worst_window_around_a_probe(
    failed: list[bool], width: int, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(failed) - 1))
    tally = landed(*((TROUBLE if each else HEALTHY, 1) for each in failed))
    windows = [
        failed[first : first + width] for first in range(len(failed) - width + 1) if first <= place < first + width
    ]

    expected = max((sum(window) / width for window in windows), default=sum(failed) / len(failed))

    assert tally.worst_around(place, TROUBLE, width) == expected


@pytest.mark.parametrize(
    ("host", "place"),
    [
        (landed((HEALTHY, 10), (TROUBLE, 9), (HEALTHY, 10), (TROUBLE, 1), (HEALTHY, 30)), 29),
        (landed((HEALTHY, 30), (TROUBLE, 1), (HEALTHY, 10), (TROUBLE, 9), (HEALTHY, 10)), 30),
    ],
    ids=["the window that ends at it", "the window that begins at it"],
)
def test_a_failure_at_the_edge_of_a_stretch_of_failures_is_held(host: HostTally, place: int) -> None:
    assert host.share(TROUBLE) < ON.brake_share
    assert host.worst_around(place, TROUBLE, 20) == ON.brake_share

    said, reason = brake(Action.DISABLE, TROUBLE, host, ON, run_ended=True, place=place)

    assert said is Braking.HOLD
    assert "20 probes of this host around it" in reason
