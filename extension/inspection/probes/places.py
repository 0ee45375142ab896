"""Places of the requests beyond the table of families: the first address of a provider that is there."""

from collections.abc import Sequence
from typing import Final

from extension.inspection.probes.decisive import is_absent
from extension.inspection.probes.plan import Evidence, ProbePlan, evidence_with
from extension.inspection.requests.outcome import Attempt, Stage

EVIDENCE_STAGES: Final = frozenset({Stage.AUTHENTICATED, Stage.QUESTION})
"""Stages of the requests beyond the table."""


def evidence_at_hand(plan: ProbePlan, attempts: Sequence[Attempt]) -> Evidence:
    """Return the requests that may follow: at the first address that is there or was not asked yet, else at the last.

    Where the chat of the table is missing, these are right below the base URL; where a list was asked for with
    the vendor's own header, they carry the key there, too.
    """
    if any(attempt.request.stage is Stage.FALLBACK and is_absent(attempt) for attempt in attempts):
        places = plan.evidence_below or (plan.evidence,)
    else:
        asked_in_own_header = any(attempt.request.stage is Stage.CONFIRMED_PRIMARY for attempt in attempts)
        confirmed = plan.requests.get(Stage.CONFIRMED_FALLBACK) if asked_in_own_header else None
        others = (evidence for evidence in plan.evidence_below if _endpoint(evidence) is not _endpoint(plan.evidence))
        places = (evidence_with(confirmed) or plan.evidence, *others)
    return next((evidence for evidence in places if not _is_missing(evidence, attempts)), places[-1])


def newest(attempts: Sequence[Attempt], stage: Stage, evidence: Evidence) -> Attempt | None:
    """Return the newest attempt of a stage; beyond the table, of the request of this evidence."""
    stages = (attempt for attempt in reversed(attempts) if attempt.request.stage is stage)
    return next((attempt for attempt in stages if attempt.request == evidence.get(stage, attempt.request)), None)


def _is_missing(evidence: Evidence, attempts: Sequence[Attempt]) -> bool:
    authenticated = newest(attempts, Stage.AUTHENTICATED, evidence) if evidence else None
    return authenticated is not None and is_absent(authenticated)


def _endpoint(evidence: Evidence) -> object:
    request = evidence.get(Stage.AUTHENTICATED)
    return request and request.endpoint
