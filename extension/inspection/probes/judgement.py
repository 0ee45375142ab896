"""Judgement: from the answers of a probe to a verdict with its evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from adapter.port import Answer, NoAnswer, NoAnswerKind
from adapter.privacy.secret import Redactor
from extension.inspection.evidence.attempts import AttemptSummary, headers_of, preview_of, problem_of, summarise
from extension.inspection.evidence.error_body import blames_the_question, blames_the_quota, described, parse_error_body
from extension.inspection.evidence.response_check import answer_text, doubt
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.evidence.verdict_table import VERDICTS, verdict_of_status
from extension.inspection.oauth.finding import OAuthFinding, find
from extension.inspection.oauth.plan import OAuthPlan, counting
from extension.inspection.oauth.window import Window
from extension.inspection.probes.plan import NoProbe, ProbePlan
from extension.inspection.requests.outcome import Attempt, Stage
from extension.inspection.settings import InspectionSettings

_ABSENT: Final = frozenset({404, 405, 501})
_BY_SHAPE: Final = Redactor()

_SILENCE: Final[Mapping[NoAnswerKind, str]] = {
    NoAnswerKind.TIMEOUT: "No answer in time",
    NoAnswerKind.CONNECT: "No connection to the provider, or it was closed",
    NoAnswerKind.DNS: "The name of the provider's host was not found",
    NoAnswerKind.TLS: "No secure connection to the provider",
    NoAnswerKind.PROXY: "The proxy did not reach the provider",
    NoAnswerKind.UNKNOWN: "The request to the provider failed",
}


@dataclass(frozen=True, slots=True)
class Judgement:
    """Result of a probe with its evidence, free of secrets.

    ``status`` is the decisive status: 0 without an answer, None when no probe was sent or the gateway failed.
    ``latency_ms`` belongs to the same request. ``preview`` is empty for 200. ``windows`` are those of an OAuth file,
    and ``resets_at`` is when a quota that is used up ends, in integer milliseconds UTC, where the vendor tells.
    """

    verdict: Verdict
    reason: str
    status: int | None = None
    latency_ms: int | None = None
    preview: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    attempts: tuple[AttemptSummary, ...] = ()
    windows: tuple[Window, ...] = ()
    resets_at: int | None = None


def decisive(attempts: Sequence[Attempt]) -> Attempt:
    """Return the attempt whose outcome counts.

    A 2xx of the fallback wins; otherwise the answer of the primary request stands, unless it was 404, 405 or 501: then
    the fallback's counts. A repeated or confirmed request counts in the place of the one it repeats. Two things come
    first: a gateway in trouble leaves nothing to judge, and an answer that blames the probe's model is not counted.
    """
    latest = {attempt.request.stage: attempt for attempt in attempts}
    primary = latest.get(Stage.CONFIRMED_PRIMARY, latest[Stage.PRIMARY])
    fallback = latest.get(Stage.CONFIRMED_FALLBACK, latest.get(Stage.FALLBACK))
    if attempts[-1].trouble is not None:
        return attempts[-1]
    if fallback is None:
        return primary
    wins = primary.status in _ABSENT or _is_success(fallback) or _blames_the_question(fallback)
    return fallback if wins else primary


def judge(
    plan: ProbePlan | OAuthPlan | NoProbe,
    attempts: Sequence[Attempt],
    settings: InspectionSettings,
    redactor: Redactor = _BY_SHAPE,
) -> Judgement:
    """Judge the attempts of a probe that is over; ``attempts`` is empty exactly when no probe was planned.

    ``redactor`` may know secrets beyond those that show by their shape.
    """
    if isinstance(plan, NoProbe):
        return Judgement(plan.verdict, redactor.redact(plan.reason))
    if not attempts:
        return Judgement(Verdict.UNKNOWN, "Not checked: the probe was canceled before it was sent.")
    counted = counting(plan, attempts) if isinstance(plan, OAuthPlan) else decisive(attempts)
    finding = _found(plan, counted, settings, redactor)
    answer = counted.answer
    return Judgement(
        verdict=finding.verdict,
        reason=redactor.redact(finding.reason),
        status=counted.status,
        latency_ms=None if counted.trouble is not None else counted.milliseconds,
        preview=_preview(counted, settings, redactor),
        headers=headers_of(answer, redactor) if isinstance(answer, Answer) else {},
        attempts=summarise(attempts, redactor),
        windows=finding.windows,
        resets_at=finding.resets_at,
    )


def _found(
    plan: ProbePlan | OAuthPlan, counted: Attempt, settings: InspectionSettings, redactor: Redactor
) -> OAuthFinding:
    """Return the finding of the decisive attempt."""
    answer = counted.answer
    if counted.trouble is not None:
        return OAuthFinding(Verdict.UNKNOWN, f"Not checked: {counted.trouble.rstrip('.')}.")
    if isinstance(answer, NoAnswer):
        problem = problem_of(counted, redactor).partition(": ")[2].rstrip(".")
        return OAuthFinding(Verdict.UNREACHABLE, f"{_SILENCE[answer.kind]}{f' ({problem})' if problem else ''}.")
    if not isinstance(answer, Answer):
        raise TypeError("an attempt without trouble has an answer or none")
    if isinstance(plan, OAuthPlan):
        return find(plan, counted, answer, settings)
    found = _found_success if _is_success(counted) else _found_refusal
    return OAuthFinding(*found(plan, counted, answer))


def _found_success(plan: ProbePlan, counted: Attempt, answer: Answer) -> tuple[Verdict, str]:
    wrong = doubt(counted.request.endpoint, answer)
    if wrong:
        return Verdict.INCONCLUSIVE, f"HTTP {answer.status}, {wrong}: this proves nothing about the key."
    asked = counted.request.stage in {Stage.FALLBACK, Stage.CONFIRMED_FALLBACK}
    how = f"HTTP {answer.status}{' to the fallback request' if asked else ''}"
    return Verdict.HEALTHY, f"Key accepted ({how}).{_about_the_sum(plan, counted, answer)}"


def _found_refusal(plan: ProbePlan, counted: Attempt, answer: Answer) -> tuple[Verdict, str]:
    complaint = parse_error_body(answer)
    if blames_the_question(counted.request.endpoint, answer.status, complaint):
        said = described(answer, complaint)
        return (
            Verdict.INCONCLUSIVE,
            f"The model {plan.model} is not known there {said}, which proves nothing: set probeModel.",
        )
    verdict = verdict_of_status(answer.status)
    if verdict is Verdict.RATE_LIMITED and blames_the_quota(complaint):
        verdict = Verdict.OUT_OF_QUOTA
    return verdict, f"{VERDICTS[verdict].key_finding} {described(answer, complaint)}."


def _about_the_sum(plan: ProbePlan, counted: Attempt, answer: Answer) -> str:
    """Return the result of a small sum, when one was asked; it is evidence, never a failure."""
    if plan.prompt.expected is None or not counted.request.body:
        return ""
    right = plan.prompt.expected in answer_text(answer)
    return f" Asked {plan.prompt.text} it answered {'rightly' if right else 'something else'}."


def _preview(counted: Attempt, settings: InspectionSettings, redactor: Redactor) -> str:
    if isinstance(counted.answer, Answer):
        return preview_of(counted.answer, settings.preview_characters, redactor)
    return problem_of(counted, redactor)[: settings.preview_characters]


def _is_success(attempt: Attempt) -> bool:
    return attempt.status is not None and attempt.status // 100 == 2  # noqa: PLR2004 - the class of success


def _blames_the_question(attempt: Attempt) -> bool:
    answer = attempt.answer
    return isinstance(answer, Answer) and blames_the_question(
        attempt.request.endpoint, answer.status, parse_error_body(answer)
    )
