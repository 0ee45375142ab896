"""Decisive attempt: the answer of a probe that counts, by the table of families."""

from collections.abc import Sequence
from typing import Final

from adapter.port import Answer
from extension.inspection.evidence.answers.matcher import row_for
from extension.inspection.evidence.error_body import blames_the_question, parse_error_body
from extension.inspection.requests.outcome import Attempt, Stage

_ABSENT: Final = frozenset({404, 405, 501})

ABSENT: Final = frozenset({404, 405})
"""Statuses of an address that is not there, after which those right below the base URL are tried."""


def decisive(attempts: Sequence[Attempt]) -> Attempt:
    """Return the attempt whose outcome counts.

    A 2xx of the fallback wins; otherwise the answer of the primary request stands, unless it was 404, 405 or 501: then
    the fallback's counts, and after both the last one's, if it is there. A repeated or confirmed request counts in the
    place of the one it repeats. Two things come first: a gateway in trouble leaves nothing to judge, and an answer that
    blames the probe's model is not counted.
    """
    latest = {attempt.request.stage: attempt for attempt in attempts}
    primary = latest.get(Stage.CONFIRMED_PRIMARY, latest[Stage.PRIMARY])
    fallback = latest.get(Stage.CONFIRMED_FALLBACK, latest.get(Stage.FALLBACK))
    if attempts[-1].trouble is not None:
        return attempts[-1]
    if fallback is None:
        return primary
    last = latest.get(Stage.LAST)
    if last is not None and last.status and last.status not in ABSENT:
        return last
    wins = primary.status in _ABSENT or is_success(fallback) or _blames_the_question(fallback)
    return fallback if wins else primary


def is_success(attempt: Attempt) -> bool:
    """Return whether an attempt was answered with 2xx."""
    return attempt.status is not None and attempt.status // 100 == 2  # noqa: PLR2004 - the class of success


def is_absent(attempt: Attempt) -> bool:
    """Return whether an address is not there; a 404 about the model comes from one that is."""
    answer = attempt.answer
    if not isinstance(answer, Answer) or answer.status not in ABSENT or _blames_the_question(attempt):
        return False
    return row_for(answer, attempt.request.url) is None


def _blames_the_question(attempt: Attempt) -> bool:
    answer = attempt.answer
    return isinstance(answer, Answer) and blames_the_question(
        attempt.request.endpoint, answer.status, parse_error_body(answer)
    )
