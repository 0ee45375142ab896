"""Streaks: only equal findings prolong one, and what has the same cause does not end it."""

import pytest

from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.streak import contradicting


@pytest.mark.parametrize(
    ("verdict", "other", "ends"),
    [
        (Verdict.FORBIDDEN, Verdict.BLOCKED, False),
        (Verdict.FORBIDDEN, Verdict.FORBIDDEN, False),
        (Verdict.FORBIDDEN, Verdict.INVALID_KEY, True),
        (Verdict.FORBIDDEN, Verdict.HEALTHY, True),
        (Verdict.FORBIDDEN, Verdict.PROVIDER_ERROR, False),
        (Verdict.UNREACHABLE, Verdict.PROVIDER_ERROR, False),
        (Verdict.OUT_OF_QUOTA, Verdict.RATE_LIMITED, False),
    ],
)
def test_a_streak_is_ended_by_another_cause(verdict: Verdict, other: Verdict, ends: bool) -> None:
    assert (other in contradicting(verdict)) is ends
