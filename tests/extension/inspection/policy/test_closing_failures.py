"""Failures alike at the end of a host's probes: perhaps the beginning of a failure of all."""

import pytest

from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.circuit_breaker import Failure
from extension.inspection.policy.streak import Streak
from extension.reasons.codes import HoldCode
from tests.extension.inspection.policy.test_circuit_breaker import DAY, HEALTHY, MINUTE, NOW, code_of, landed


@pytest.mark.parametrize(
    ("order", "place", "code"),
    [
        (((HEALTHY, 40), (Verdict.INVALID_KEY, 8)), 44, HoldCode.NOTHING_AFTER),
        (((HEALTHY, 40), (Verdict.INVALID_KEY, 2)), 41, HoldCode.NOTHING_AFTER),
        (((HEALTHY, 40), (Verdict.INVALID_KEY, 1)), 40, "go"),
        (((HEALTHY, 40), (Verdict.INVALID_KEY, 2), (HEALTHY, 1)), 41, "go"),
        (((HEALTHY, 20), (Verdict.INVALID_KEY, 1), (HEALTHY, 20), (Verdict.INVALID_KEY, 2)), 20, "go"),
        (((HEALTHY, 3), (Verdict.INVALID_KEY, 2)), 4, "go"),
    ],
)
def test_failures_alike_that_close_the_probes_of_a_host_wait_for_a_success_after_them(
    order: tuple[tuple[Verdict, int], ...], place: int, code: str
) -> None:
    failure = Failure(Verdict.INVALID_KEY, place=place, at=NOW)

    assert code_of(failure, landed(*order, sent_at=NOW - MINUTE)) == code


def test_closing_failures_that_lasted_a_day_go() -> None:
    failure = Failure(Verdict.INVALID_KEY, place=41, at=NOW, streak=Streak(runs=2, first_at=NOW - DAY))

    assert code_of(failure, landed((HEALTHY, 40), (Verdict.INVALID_KEY, 2), sent_at=NOW - MINUTE)) == "go"


def test_failures_close_the_probes_of_a_host_by_the_order_of_sending_not_of_the_answers() -> None:
    """Refusals of a wall come at once, before the answers that were under way when it began."""
    tally = landed((HEALTHY, 20), sent_at=NOW - 200)
    walled = [tally.add(Verdict.INVALID_KEY, sent_at=NOW - 50 + number) for number in range(8)]
    for _ in range(30):
        tally.add(HEALTHY, sent_at=NOW - 100)

    assert {code_of(Failure(Verdict.INVALID_KEY, place=place, at=NOW), tally) for place in walled} == {
        HoldCode.NOTHING_AFTER
    }
    tally.add(HEALTHY, sent_at=NOW + 1)
    assert {code_of(Failure(Verdict.INVALID_KEY, place=place, at=NOW), tally) for place in walled} == {"go"}
