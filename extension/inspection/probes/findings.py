"""Findings: verdict and reason of the attempt that counts."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from adapter.port import Answer, NoAnswer, NoAnswerKind
from adapter.privacy.secret import Redactor
from extension.inspection.evidence.answers.meaning import VERDICT_OF, Meaning
from extension.inspection.evidence.answers.table import AnswerRow
from extension.inspection.evidence.attempts import problem_of
from extension.inspection.evidence.error_body import blames_the_question, blames_the_quota, described, parse_error_body
from extension.inspection.evidence.reason import Reason, ReasonCode
from extension.inspection.evidence.response_check import answer_text, doubt
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.evidence.verdict_table import VERDICTS, verdict_of_status
from extension.inspection.evidence.wall import WALL_TEXTS, Wall
from extension.inspection.probes.decisive import is_success
from extension.inspection.probes.plan import ProbePlan
from extension.inspection.requests.outcome import Attempt, Stage

_SILENCE: Final[Mapping[NoAnswerKind, str]] = MappingProxyType(
    {
        NoAnswerKind.TIMEOUT: "No answer in time",
        NoAnswerKind.CONNECT: "No connection to the provider, or it was closed",
        NoAnswerKind.DNS: "The name of the provider's host was not found",
        NoAnswerKind.TLS: "No secure connection to the provider",
        NoAnswerKind.PROXY: "The proxy did not reach the provider",
        NoAnswerKind.UNKNOWN: "The request to the provider failed",
    }
)
_MEANING_TEXTS: Final[Mapping[Meaning, str]] = MappingProxyType(
    {
        Meaning.INVALID_KEY: "the provider does not know the key",
        Meaning.KEY_EXPIRED: "the key has expired",
        Meaning.KEY_NOT_PERMITTED: "the key lacks a permission",
        Meaning.ACCOUNT_SUSPENDED: "the account is suspended or closed",
        Meaning.OUT_OF_QUOTA: "balance or quota is used up",
        Meaning.RATE_LIMITED: "too many requests for now",
        Meaning.BLOCKED: "the region, address or client is not allowed",
        Meaning.PROVIDER_ERROR: "the provider failed",
    }
)
_FALLBACKS: Final = frozenset({Stage.FALLBACK, Stage.CONFIRMED_FALLBACK})


@dataclass(frozen=True, slots=True)
class ProbeFinding:
    """Verdict about a key, its reason, and the attempt both rest on."""

    counted: Attempt
    verdict: Verdict
    reason: Reason


def of_trouble(counted: Attempt) -> ProbeFinding:
    """Return the finding of a probe that our own side did not carry out."""
    return _of_sentence(counted, Verdict.UNKNOWN, f"Not checked: {(counted.trouble or '').rstrip('.')}.")


def of_silence(counted: Attempt, answer: NoAnswer, redactor: Redactor) -> ProbeFinding:
    """Return the finding of a request without an answer."""
    problem = problem_of(counted, redactor).partition(": ")[2].rstrip(".")
    return _of_sentence(counted, Verdict.UNREACHABLE, f"{_SILENCE[answer.kind]}{f' ({problem})' if problem else ''}.")


def by_table(plan: ProbePlan, counted: Attempt, answer: Answer) -> ProbeFinding:
    """Return the finding of the table by status, with what the body says of model and quota."""
    return (_of_success if is_success(counted) else _of_refusal)(plan, counted, answer)


def of_wall(counted: Attempt, answer: Answer, wall: Wall) -> ProbeFinding:
    """Return the finding of an answer that is not the API's."""
    details = {"wall": WALL_TEXTS[wall], "details": f"(HTTP {answer.status})"}
    return ProbeFinding(counted, Verdict.BLOCKED, Reason(ReasonCode.WALL, details))


def of_row(plan: ProbePlan, counted: Attempt, answer: Answer, row: AnswerRow) -> ProbeFinding:
    """Return the finding of an answer that a row of the tables of answers reads."""
    details = described(answer, parse_error_body(answer))
    verdict = VERDICT_OF[row.meaning]
    if row.meaning is Meaning.MODEL_PROBLEM:
        return ProbeFinding(
            counted, verdict, Reason(ReasonCode.MODEL_PROBLEM, {"model": plan.model, "details": details})
        )
    if row.meaning is Meaning.REQUEST_PROBLEM:
        return ProbeFinding(counted, verdict, Reason(ReasonCode.REQUEST_PROBLEM, {"details": details}))
    parameters = {
        "finding": VERDICTS[verdict].key_finding,
        "meaning": _MEANING_TEXTS[row.meaning],
        "details": details,
    }
    return ProbeFinding(counted, verdict, Reason(ReasonCode.KNOWN_ANSWER, parameters))


def of_code(counted: Attempt, answer: Answer, verdict: Verdict, code: ReasonCode) -> ProbeFinding:
    """Return a finding with a reason that needs only the details of the answer."""
    body = parse_error_body(answer) if not is_success(counted) else None
    details = described(answer, body) if body else f"(HTTP {answer.status})"
    return ProbeFinding(counted, verdict, Reason(code, {"details": details}))


def _of_success(plan: ProbePlan, counted: Attempt, answer: Answer) -> ProbeFinding:
    wrong = doubt(counted.request.endpoint, answer)
    if wrong:
        return _of_sentence(
            counted, Verdict.INCONCLUSIVE, f"HTTP {answer.status}, {wrong}: this proves nothing about the key."
        )
    how = f"HTTP {answer.status}{' to the fallback request' if counted.request.stage in _FALLBACKS else ''}"
    return _of_sentence(counted, Verdict.HEALTHY, f"Key accepted ({how}).{_about_the_sum(plan, counted, answer)}")


def _of_refusal(plan: ProbePlan, counted: Attempt, answer: Answer) -> ProbeFinding:
    complaint = parse_error_body(answer)
    if blames_the_question(counted.request.endpoint, answer.status, complaint):
        parameters = {"model": plan.model, "details": described(answer, complaint)}
        return ProbeFinding(counted, Verdict.INCONCLUSIVE, Reason(ReasonCode.MODEL_PROBLEM, parameters))
    verdict = verdict_of_status(answer.status)
    if verdict is Verdict.RATE_LIMITED and blames_the_quota(complaint):
        verdict = Verdict.OUT_OF_QUOTA
    return _of_sentence(counted, verdict, f"{VERDICTS[verdict].key_finding} {described(answer, complaint)}.")


def _of_sentence(counted: Attempt, verdict: Verdict, sentence: str) -> ProbeFinding:
    return ProbeFinding(counted, verdict, Reason(ReasonCode.TABLE, {"finding": sentence}))


def _about_the_sum(plan: ProbePlan, counted: Attempt, answer: Answer) -> str:
    """Return the result of a small sum, when one was asked; it is evidence, never a failure."""
    if plan.prompt.expected is None or not counted.request.body:
        return ""
    right = plan.prompt.expected in answer_text(answer)
    return f" Asked {plan.prompt.text} it answered {'rightly' if right else 'something else'}."
