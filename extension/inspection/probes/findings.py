"""Findings: verdict and reasons of the attempt that counts."""

import re
from dataclasses import dataclass, replace
from typing import Final

from adapter.port import Answer, NoAnswer, NoAnswerKind
from adapter.privacy.secret import Redactor
from extension.inspection.evidence.answers.meaning import VERDICT_OF, Meaning
from extension.inspection.evidence.answers.table import AnswerRow
from extension.inspection.evidence.attempts import problem_of
from extension.inspection.evidence.error_body import blames_the_question, blames_the_quota, described, parse_error_body
from extension.inspection.evidence.response_check import answer_text, doubt, doubted
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.evidence.verdict_table import verdict_of_status
from extension.inspection.evidence.wall import Wall, wall_details
from extension.inspection.probes.decisive import is_success
from extension.inspection.probes.plan import ProbePlan
from extension.inspection.requests.outcome import Attempt, Stage
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, ReasonList, because

_WITHIN: Final = re.compile(r"no answer within (\d+(?:\.\d+)?) s")
"""Words of the gateway for a timeout; the reason says the same in any language."""
_IN_TIME: Final = "no answer in time"
_FALLBACKS: Final = frozenset({Stage.FALLBACK, Stage.CONFIRMED_FALLBACK})


@dataclass(frozen=True, slots=True)
class ProbeFinding:
    """Verdict about a key, its reasons, and the attempt both rest on."""

    counted: Attempt
    verdict: Verdict
    reason: ReasonList


def of_trouble(counted: Attempt) -> ProbeFinding:
    """Return the finding of a probe that our own side did not carry out."""
    return ProbeFinding(counted, Verdict.UNKNOWN, because(ReasonCode.NOT_CHECKED) + (counted.trouble or NO_REASON))


def of_silence(counted: Attempt, answer: NoAnswer, redactor: Redactor) -> ProbeFinding:
    """Return the finding of a request without an answer."""
    problem = problem_of(counted, redactor).partition(": ")[2].rstrip(".")
    within = _WITHIN.fullmatch(problem)
    if within:
        reason = because(ReasonCode.NO_ANSWER_WITHIN, seconds=within[1])
    elif problem and problem != _IN_TIME:
        reason = because(ReasonCode.NO_ANSWER_BECAUSE, silence=answer.kind.value, problem=problem)
    else:
        reason = because(ReasonCode.NO_ANSWER, silence=answer.kind.value)
    return ProbeFinding(counted, Verdict.UNREACHABLE, reason)


def of_missing(counted: Attempt, answer: NoAnswer, redactor: Redactor) -> ProbeFinding:
    """Return the finding of a request without an answer; one that cannot be read says nothing about the key."""
    finding = of_silence(counted, answer, redactor)
    return replace(finding, verdict=Verdict.BLOCKED) if answer.kind is NoAnswerKind.UNREADABLE else finding


def by_table(plan: ProbePlan, counted: Attempt, answer: Answer) -> ProbeFinding:
    """Return the finding of the table by status, with what the body says of model and quota."""
    return (_of_success if is_success(counted) else _of_refusal)(plan, counted, answer)


def of_wall(counted: Attempt, answer: Answer, wall: Wall) -> ProbeFinding:
    """Return the finding of an answer that is not the API's."""
    reason = because(ReasonCode.BLOCKED, wall=wall.value, details=wall_details(answer, wall), subject="key")
    return ProbeFinding(counted, Verdict.BLOCKED, reason)


def of_row(plan: ProbePlan, counted: Attempt, answer: Answer, row: AnswerRow) -> ProbeFinding:
    """Return the finding of an answer that a row of the tables of answers reads."""
    details = described(answer, parse_error_body(answer))
    verdict = VERDICT_OF[row.meaning]
    if row.meaning is Meaning.MODEL_PROBLEM:
        reason = because(ReasonCode.MODEL_PROBLEM, model=plan.model, details=details)
    elif row.meaning is Meaning.REQUEST_PROBLEM:
        reason = because(ReasonCode.REQUEST_PROBLEM, details=details)
    else:
        known = {"key_finding": verdict.value, "meaning": row.meaning.value}
        reason = because(ReasonCode.KNOWN_ANSWER, **known, details=details)
    return ProbeFinding(counted, verdict, reason)


def of_refused_key(counted: Attempt, answer: Answer) -> ProbeFinding:
    """Return the finding of a refusal that no status and no row tells, but the answer to a wrong key."""
    details = described(answer, parse_error_body(answer))
    reason = because(ReasonCode.KEY_REFUSED, key_finding=Verdict.INVALID_KEY.value, details=details)
    return ProbeFinding(counted, Verdict.INVALID_KEY, reason)


def of_code(counted: Attempt, answer: Answer, verdict: Verdict, code: ReasonCode) -> ProbeFinding:
    """Return a finding with a reason that needs only the details of the answer."""
    body = parse_error_body(answer) if not is_success(counted) else None
    details = described(answer, body) if body else f"(HTTP {answer.status})"
    return ProbeFinding(counted, verdict, because(code, details=details))


def _of_success(plan: ProbePlan, counted: Attempt, answer: Answer) -> ProbeFinding:
    endpoint = counted.request.endpoint
    wrong = doubt(endpoint, answer)
    if wrong:
        return ProbeFinding(counted, Verdict.INCONCLUSIVE, doubted(endpoint, answer, wrong, "key"))
    if counted.request.stage in _FALLBACKS:
        accepted = because(ReasonCode.FALLBACK_ACCEPTED, status=answer.status)
    else:
        accepted = because(ReasonCode.KEY_ACCEPTED, details=f"(HTTP {answer.status})")
    return ProbeFinding(counted, Verdict.HEALTHY, accepted + _about_the_sum(plan, counted, answer))


def _of_refusal(plan: ProbePlan, counted: Attempt, answer: Answer) -> ProbeFinding:
    complaint = parse_error_body(answer)
    details = described(answer, complaint)
    if blames_the_question(counted.request.endpoint, answer.status, complaint):
        reason = because(ReasonCode.MODEL_PROBLEM, model=plan.model, details=details)
        return ProbeFinding(counted, Verdict.INCONCLUSIVE, reason)
    verdict = verdict_of_status(answer.status)
    if verdict is Verdict.RATE_LIMITED and blames_the_quota(complaint):
        verdict = Verdict.OUT_OF_QUOTA
    return ProbeFinding(counted, verdict, because(ReasonCode.KEY_REFUSED, key_finding=verdict.value, details=details))


def _about_the_sum(plan: ProbePlan, counted: Attempt, answer: Answer) -> ReasonList:
    """Return the result of a small sum, when one was asked; it is evidence, never a failure."""
    if plan.prompt.expected is None or not counted.request.body:
        return NO_REASON
    right = plan.prompt.expected in answer_text(answer)
    return because(ReasonCode.SUM_RIGHT if right else ReasonCode.SUM_WRONG, question=plan.prompt.text)
