"""Streaks: the earlier runs in which an account failed as it does now; pure."""

from dataclasses import dataclass
from typing import Final

from extension.inspection.evidence.verdict import Kind, Verdict
from extension.inspection.evidence.verdict_table import NO_EVIDENCE, cause_of, of_kind
from extension.inspection.policy.revocation import APART_MS

_DAY_MS: Final = 24 * 60 * 60 * 1000
_RUNS: Final = 3


@dataclass(frozen=True, slots=True)
class Streak:
    """The runs before this one since which an account failed equally, with no contradiction in between.

    `runs` counts them, and `first_at` is when the first of them found it, in integer milliseconds UTC.
    """

    runs: int = 0
    first_at: int = 0

    def was_seen(self) -> bool:
        """Return whether an earlier run found the same."""
        return self.runs > 0

    def is_lasting(self, now: int) -> bool:
        """Return whether an earlier run found the same at least ten minutes before."""
        return self.runs > 0 and now - self.first_at >= APART_MS

    def is_settled(self, now: int) -> bool:
        """Return whether three runs over at least 24 hours agree, this one included."""
        return self.runs + 1 >= _RUNS and now - self.first_at >= _DAY_MS


def contradicting(verdict: Verdict) -> frozenset[Verdict]:
    """Return the verdicts that end a streak; only equal ones prolong it.

    One of the same cause does neither: a wall is no earlier 403. Trouble of a host says nothing about a key that was
    refused before.
    """
    akin = frozenset(member for member in Verdict if cause_of(member) is cause_of(verdict))
    silent = NO_EVIDENCE if verdict in of_kind(Kind.HOST) else NO_EVIDENCE | of_kind(Kind.HOST)
    return frozenset(Verdict) - akin - silent


NO_STREAK: Final = Streak()
"""No earlier run found the same."""
