"""Revocation: when a withdrawn log-in is certain enough to recommend that its file be deleted."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from extension.inspection.evidence.verdict import Kind, Verdict
from extension.inspection.evidence.verdict_table import of_kind

APART_MS: Final = 10 * 60 * 1000
"""Least time between two sightings, milliseconds."""

_SILENT: Final = of_kind(Kind.NO_EVIDENCE, Kind.NOT_PROBED, Kind.HOST)
"""Verdicts that say nothing of the log-in, so that they neither confirm nor contradict it."""


@dataclass(frozen=True, slots=True)
class PastVerdict:
    """One earlier verdict about the account. `at` is in integer milliseconds UTC, when it was found."""

    verdict: Verdict
    at: int


def is_confirmed(history: Iterable[PastVerdict], now: int) -> bool:
    """Return whether a sign-in revoked at `now` was revoked at least ten minutes before, and never well since.

    `history` holds the account's earlier results in any order, those of other runs included. Any verdict in between
    that contradicts it, such as a healthy one or a mere need for a new log-in, makes the count start again.
    """
    for sighting in sorted(history, key=lambda sighting: sighting.at, reverse=True):
        if sighting.at > now or sighting.verdict in _SILENT:
            continue
        if sighting.verdict is not Verdict.REVOKED:
            return False
        if now - sighting.at >= APART_MS:
            return True
    return False
