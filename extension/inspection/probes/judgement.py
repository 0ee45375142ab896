"""Judgement: from the answers of a probe to a verdict with its evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from adapter.port import Answer, NoAnswer
from adapter.privacy.secret import Redactor
from extension.inspection.evidence.attempts import AttemptSummary, headers_of, preview_of, problem_of, summarise
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.oauth.finding import OAuthFinding, find
from extension.inspection.oauth.plan import OAuthPlan, counting
from extension.inspection.oauth.window import Window
from extension.inspection.probes.controls import ControlRequest, Controls
from extension.inspection.probes.decisive import decisive
from extension.inspection.probes.findings import ProbeFinding, by_table, of_missing, of_silence, of_trouble
from extension.inspection.probes.plan import NoProbe, ProbePlan, next_request
from extension.inspection.probes.weighing import Weighing
from extension.inspection.requests.outcome import Attempt, ProbeRequest
from extension.inspection.settings import InspectionSettings
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, ReasonList, because

_BY_SHAPE: Final = Redactor()


@dataclass(frozen=True, slots=True)
class Judgement:
    """Result of a probe with its evidence, free of secrets.

    ``status`` is the decisive status: 0 without an answer, None when no probe was sent or the gateway failed.
    ``latency_ms`` belongs to the same request. ``preview`` is empty for 200. ``windows`` are those of an OAuth file,
    and ``resets_at`` is when a quota that is used up ends, in integer milliseconds UTC, where the vendor tells.
    ``answered_at`` is when the last answer of the account came, as long as that is known.
    """

    verdict: Verdict
    reason: ReasonList
    status: int | None = None
    latency_ms: int | None = None
    preview: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    attempts: tuple[AttemptSummary, ...] = ()
    windows: tuple[Window, ...] = ()
    resets_at: int | None = None
    answered_at: int | None = None


def next_step(
    plan: ProbePlan | OAuthPlan,
    attempts: Sequence[Attempt],
    controls: Controls,
    settings: InspectionSettings,
) -> ProbeRequest | ControlRequest | None:
    """Return the request or the control that a probe needs next, or None when enough is known.

    The requests of the table of families come first; with evidence checks on, those that its answers call for.
    """
    request = next_request(plan, attempts)
    if request is not None or isinstance(plan, OAuthPlan) or not settings.evidence_checks:
        return request
    step = Weighing(plan, attempts, controls, settings, _BY_SHAPE).step()
    return None if isinstance(step, ProbeFinding) else step


def judge(
    plan: ProbePlan | OAuthPlan | NoProbe,
    attempts: Sequence[Attempt],
    settings: InspectionSettings,
    redactor: Redactor = _BY_SHAPE,
    *,
    controls: Controls = MappingProxyType({}),
) -> Judgement:
    """Judge the attempts of a probe that is over; ``attempts`` is empty exactly when no probe was planned.

    ``redactor`` may know secrets beyond those that show by their shape. ``controls`` hold what a wrong key got.
    """
    if isinstance(plan, NoProbe):
        return Judgement(plan.verdict, plan.reason.redacted(redactor.redact))
    if not attempts:
        return Judgement(Verdict.UNKNOWN, because(ReasonCode.CHECK_CANCELED))
    if isinstance(plan, OAuthPlan):
        counted = counting(plan, attempts)
        sign_in = _found_sign_in(plan, counted, settings, redactor)
        judged = _judgement(counted, attempts, settings, redactor)
        return replace(
            judged,
            verdict=sign_in.verdict,
            reason=sign_in.reason.redacted(redactor.redact),
            windows=sign_in.windows,
            resets_at=sign_in.resets_at,
        )
    finding = _found_key(plan, attempts, settings, redactor, controls)
    judged = _judgement(finding.counted, attempts, settings, redactor)
    return replace(judged, verdict=finding.verdict, reason=finding.reason.redacted(redactor.redact))


def _judgement(
    counted: Attempt, attempts: Sequence[Attempt], settings: InspectionSettings, redactor: Redactor
) -> Judgement:
    """Return the evidence of the attempt that counts, with the verdict still open."""
    answer = counted.answer
    return Judgement(
        verdict=Verdict.UNKNOWN,
        reason=NO_REASON,
        status=counted.status,
        latency_ms=None if counted.trouble is not None else counted.milliseconds,
        preview=_preview(counted, settings, redactor),
        headers=headers_of(answer, redactor) if isinstance(answer, Answer) else {},
        attempts=summarise(attempts, redactor),
    )


def _found_key(
    plan: ProbePlan, attempts: Sequence[Attempt], settings: InspectionSettings, redactor: Redactor, controls: Controls
) -> ProbeFinding:
    """Return the finding about a key; a control that is missing counts as one that was not to be had."""
    if not settings.evidence_checks:
        return _found_literally(plan, decisive(attempts), redactor)
    known = dict(controls)
    while True:
        step = Weighing(plan, attempts, known, settings, redactor).step()
        if isinstance(step, ProbeFinding):
            return step
        if not isinstance(step, ControlRequest):
            # The probe ended before this request, so that what is known has to do.
            return _found_literally(plan, attempts[-1], redactor)
        known[step.stage] = None


def _found_literally(plan: ProbePlan, counted: Attempt, redactor: Redactor) -> ProbeFinding:
    """Return the finding of the table by status alone."""
    answer = counted.answer
    if counted.trouble is not None:
        return of_trouble(counted)
    if isinstance(answer, NoAnswer):
        return of_silence(counted, answer, redactor)
    if not isinstance(answer, Answer):
        raise TypeError("an attempt without trouble has an answer or none")
    return by_table(plan, counted, answer)


def _found_sign_in(plan: OAuthPlan, counted: Attempt, settings: InspectionSettings, redactor: Redactor) -> OAuthFinding:
    """Return the finding about an OAuth file."""
    answer = counted.answer
    if isinstance(answer, Answer):
        return find(plan, counted, answer, settings)
    if isinstance(answer, NoAnswer) and counted.trouble is None:
        finding = (of_missing if settings.evidence_checks else of_silence)(counted, answer, redactor)
    else:
        finding = of_trouble(counted)
    return OAuthFinding(finding.verdict, finding.reason)


def _preview(counted: Attempt, settings: InspectionSettings, redactor: Redactor) -> str:
    if isinstance(counted.answer, Answer):
        return preview_of(counted.answer, settings.preview_characters, redactor)
    return problem_of(counted, redactor)[: settings.preview_characters]
