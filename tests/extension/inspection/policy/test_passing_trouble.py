"""Trouble that may pass by itself: no answer, 5xx and 429 have to be seen again ten minutes later."""

from dataclasses import replace

import pytest

from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.circuit_breaker import Failure
from extension.inspection.policy.streak import Streak
from extension.reasons.codes import HoldCode
from tests.extension.inspection.policy.test_circuit_breaker import (
    HEALTHY,
    LASTING,
    MINUTE,
    NOW,
    TROUBLE,
    code_of,
    landed,
)


@pytest.mark.parametrize("verdict", [TROUBLE, Verdict.UNREACHABLE, Verdict.RATE_LIMITED, Verdict.REJECTED])
def test_trouble_of_a_key_alone_on_its_host_has_to_last_ten_minutes(verdict: Verdict) -> None:
    once = Failure(verdict, alone=True, at=NOW)

    assert code_of(once, landed((verdict, 1))) == HoldCode.FIRST_FAILURE
    assert code_of(replace(once, streak=Streak(1, NOW - 9 * MINUTE)), landed((verdict, 1))) == HoldCode.FIRST_FAILURE
    assert code_of(replace(once, streak=Streak(1, NOW - 10 * MINUTE)), landed((verdict, 1))) == "go"


@pytest.mark.parametrize("verdict", [TROUBLE, Verdict.UNREACHABLE, Verdict.RATE_LIMITED])
def test_trouble_beside_accounts_that_work_has_to_last_ten_minutes_too(verdict: Verdict) -> None:
    once = Failure(verdict, place=30, at=NOW)
    tally = landed((HEALTHY, 30), (verdict, 3), (HEALTHY, 30), sent_at=NOW)

    assert code_of(once, tally) == HoldCode.TEMPORARY
    assert code_of(replace(once, streak=Streak(1, NOW - 9 * MINUTE)), tally) == HoldCode.TEMPORARY
    assert code_of(replace(once, streak=LASTING), tally) == "go"
