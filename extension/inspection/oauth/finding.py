"""Findings: from the answer that counts to the verdict about an OAuth file."""

from dataclasses import dataclass
from typing import Final

from adapter.port import Answer
from extension.inspection.accounts.families import ProbeEndpoint
from extension.inspection.evidence.answers.matcher import row_for
from extension.inspection.evidence.answers.meaning import (
    KEY_MEANINGS,
    REQUEST_MEANINGS,
    SIGN_IN_MEANINGS,
    VERDICT_OF,
    Meaning,
)
from extension.inspection.evidence.error_body import (
    ErrorBody,
    blames_the_question,
    blames_the_quota,
    described,
    parse_error_body,
)
from extension.inspection.evidence.response_check import doubt, doubted
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.evidence.verdict_table import verdict_of_status
from extension.inspection.evidence.wall import Wall, wall_details, wall_of
from extension.inspection.oauth.answer import usage_in
from extension.inspection.oauth.plan import OAuthPlan
from extension.inspection.oauth.readings import QuotaUsage
from extension.inspection.oauth.types import revoked_codes
from extension.inspection.oauth.window import Thresholds, Window, blocking, told, usable_again
from extension.inspection.requests.outcome import Attempt
from extension.inspection.settings import InspectionSettings
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, ReasonList, because

_UNAUTHORISED: Final = 401
_FORBIDDEN: Final = 403
_TOO_MANY: Final = 429
_UNTOLD: Final = frozenset({400, 404, 405, 406, 410, 415, 422, 426, 501})
"""Statuses by which a vendor turns down the check itself: its address or form has changed, the account may be well."""

_CHECKS: Final = frozenset({ProbeEndpoint.USAGE, ProbeEndpoint.BILLING})


@dataclass(frozen=True, slots=True)
class OAuthFinding:
    """A verdict with its reasons and the account's windows; `resets_at` is when a stop ends."""

    verdict: Verdict
    reason: ReasonList
    windows: tuple[Window, ...] = ()
    resets_at: int | None = None


def find(plan: OAuthPlan, counted: Attempt, answer: Answer, settings: InspectionSettings) -> OAuthFinding:
    """Judge the answer that counts."""
    wrong = doubt(counted.request.endpoint, answer)
    refused = answer.status // 100 != 2  # noqa: PLR2004 - not the class of success
    if settings.evidence_checks and (refused or wrong):
        known = _known(plan, counted, answer)
        if known is not None:
            return known
    if refused:
        return _refused(plan, counted, answer)
    if wrong:
        reason = doubted(counted.request.endpoint, answer, wrong, "account")
        return OAuthFinding(Verdict.INCONCLUSIVE, reason)
    usage = usage_in(plan.type, counted.request, answer)
    if usage is None:
        return OAuthFinding(Verdict.HEALTHY, because(ReasonCode.SIGN_IN_ACCEPTED, status=answer.status))
    return _measured(usage, answer, settings)


def thresholds_of(settings: InspectionSettings) -> Thresholds:
    """Return from how many percent windows count as used up."""
    return Thresholds(settings.short_window_percent, settings.long_window_percent)


def _measured(usage: QuotaUsage, answer: Answer, settings: InspectionSettings) -> OAuthFinding:
    """Compare the windows with their thresholds; an incomplete answer is never healthy."""
    thresholds = thresholds_of(settings)
    stopping = blocking(usage.windows, thresholds)
    windows = f" ({told(usage.windows)})" if usage.windows else ""
    if stopping:
        again = usable_again(stopping)
        back = NO_REASON if again is None else because(ReasonCode.QUOTA_RESETS, resets_at=again)
        names = ", ".join(window.title for window in stopping)
        full = because(ReasonCode.QUOTA_THRESHOLD, names=names, windows=windows)
        return OAuthFinding(Verdict.OUT_OF_QUOTA, full + back, usage.windows, again)
    if usage.stopped:
        return OAuthFinding(Verdict.OUT_OF_QUOTA, because(ReasonCode.LIMIT_REACHED, windows=windows), usage.windows)
    if not usage.complete:
        reason = because(ReasonCode.QUOTA_INCOMPLETE, status=answer.status, windows=windows)
        return OAuthFinding(Verdict.INCONCLUSIVE, reason, usage.windows)
    return OAuthFinding(Verdict.HEALTHY, because(ReasonCode.SIGN_IN_MEASURED, windows=windows), usage.windows)


def _known(plan: OAuthPlan, counted: Attempt, answer: Answer) -> OAuthFinding | None:
    """Return the finding of a wall, or of an answer that a row of the tables of answers reads."""
    details = described(answer, parse_error_body(answer))
    wall = wall_of(answer, counted.request.url)
    if wall is not None:
        shown = wall_details(answer, wall) if wall is Wall.ENCODED else details
        reason = because(ReasonCode.BLOCKED, wall=wall.value, details=shown, subject="account")
        return OAuthFinding(Verdict.BLOCKED, reason)
    if _is_revoked(plan, answer.status, parse_error_body(answer)):
        return None
    row = row_for(answer, counted.request.url)
    if row is None or (row.meaning in KEY_MEANINGS and not row.reads_status(answer.status)):
        return None
    if row.meaning in REQUEST_MEANINGS:
        return OAuthFinding(Verdict.INCONCLUSIVE, _turned_down(plan, row.meaning, details))
    verdict = Verdict.RELOGIN_NEEDED if row.meaning in SIGN_IN_MEANINGS else VERDICT_OF[row.meaning]
    return OAuthFinding(verdict, because(ReasonCode.SIGN_IN_REFUSED, file_finding=verdict.value, details=details))


def _is_revoked(plan: OAuthPlan, status: int, complaint: ErrorBody) -> bool:
    codes = revoked_codes(plan.type)
    return status // 100 == 4 and bool(codes.intersection(code.lower() for code in complaint.codes))  # noqa: PLR2004 - refusals


def _refused(plan: OAuthPlan, counted: Attempt, answer: Answer) -> OAuthFinding:
    complaint = parse_error_body(answer)
    verdict = _verdict_of(plan, counted, answer, complaint)
    details = described(answer, complaint)
    if verdict is Verdict.INCONCLUSIVE:
        asks_about_model = blames_the_question(counted.request.endpoint, answer.status, complaint)
        meaning = Meaning.MODEL_PROBLEM if asks_about_model else Meaning.REQUEST_PROBLEM
        return OAuthFinding(verdict, _turned_down(plan, meaning, details))
    return OAuthFinding(verdict, because(ReasonCode.SIGN_IN_REFUSED, file_finding=verdict.value, details=details))


def _turned_down(plan: OAuthPlan, meaning: Meaning, details: str) -> ReasonList:
    if meaning is Meaning.MODEL_PROBLEM:
        return because(ReasonCode.MODEL_PROBLEM, model=plan.model, details=details)
    return because(ReasonCode.CHECK_REJECTED, details=details)


def _verdict_of(plan: OAuthPlan, counted: Attempt, answer: Answer, complaint: ErrorBody) -> Verdict:
    """Return the verdict of a refusal: a listed code first, then inconclusive answers, then the status."""
    status, endpoint = answer.status, counted.request.endpoint
    if _is_revoked(plan, status, complaint):
        return Verdict.REVOKED
    if status == _UNAUTHORISED:
        return Verdict.RELOGIN_NEEDED
    turned_down = status in _UNTOLD and endpoint in _CHECKS
    # A page or a redirection comes from a wall in front of the vendor, not from the vendor's own interface.
    walled = status // 100 == 3 or (status == _FORBIDDEN and answer.body.lstrip().startswith("<"))  # noqa: PLR2004 - redirections
    if turned_down or walled or blames_the_question(endpoint, status, complaint):
        return Verdict.INCONCLUSIVE
    if status == _TOO_MANY and blames_the_quota(complaint):
        return Verdict.OUT_OF_QUOTA
    return verdict_of_status(status)
