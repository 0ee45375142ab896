"""Findings: from the answer that counts to the verdict about an OAuth file."""

from dataclasses import dataclass
from typing import Final

from adapter.port import Answer
from extension.inspection.accounts.families import ProbeEndpoint
from extension.inspection.evidence.error_body import (
    ErrorBody,
    blames_the_question,
    blames_the_quota,
    described,
    parse_error_body,
)
from extension.inspection.evidence.response_check import doubt
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.evidence.verdict_table import VERDICTS, verdict_of_status
from extension.inspection.oauth.answer import usage_in
from extension.inspection.oauth.plan import OAuthPlan
from extension.inspection.oauth.readings import QuotaUsage
from extension.inspection.oauth.types import revoked_codes
from extension.inspection.oauth.window import Thresholds, Window, blocking, shown_time, told, usable_again
from extension.inspection.requests.outcome import Attempt
from extension.inspection.settings import InspectionSettings

_UNAUTHORISED: Final = 401
_FORBIDDEN: Final = 403
_TOO_MANY: Final = 429
_UNTOLD: Final = frozenset({400, 404, 405, 406, 410, 415, 422, 426, 501})
"""Statuses by which a vendor turns down the check itself: its address or form has changed, the account may be well."""

_CHECKS: Final = frozenset({ProbeEndpoint.USAGE, ProbeEndpoint.BILLING})


@dataclass(frozen=True, slots=True)
class OAuthFinding:
    """A verdict with its reason and the account's windows; `resets_at` is when a stop ends."""

    verdict: Verdict
    reason: str
    windows: tuple[Window, ...] = ()
    resets_at: int | None = None


def find(plan: OAuthPlan, counted: Attempt, answer: Answer, settings: InspectionSettings) -> OAuthFinding:
    """Judge the answer that counts."""
    if answer.status // 100 != 2:  # noqa: PLR2004 - not the class of success
        return _refused(plan, counted, answer)
    wrong = doubt(counted.request.endpoint, answer)
    if wrong:
        return OAuthFinding(
            Verdict.INCONCLUSIVE, f"HTTP {answer.status}, {wrong}: this proves nothing about the account."
        )
    usage = usage_in(plan.type, counted.request, answer)
    if usage is None:
        return OAuthFinding(Verdict.HEALTHY, f"Sign-in accepted (HTTP {answer.status}).")
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
        back = "" if again is None else f" It resets {shown_time(again)}."
        names = ", ".join(window.title for window in stopping)
        return OAuthFinding(
            Verdict.OUT_OF_QUOTA,
            f"The quota is used up to its threshold: {names}{windows}.{back}",
            usage.windows,
            again,
        )
    if usage.stopped:
        return OAuthFinding(Verdict.OUT_OF_QUOTA, f"The vendor reports a reached limit{windows}.", usage.windows)
    if not usage.complete:
        return OAuthFinding(
            Verdict.INCONCLUSIVE,
            f"Sign-in accepted (HTTP {answer.status}) but the vendor does not report all of the quota{windows}: "
            "this proves too little to act on.",
            usage.windows,
        )
    return OAuthFinding(Verdict.HEALTHY, f"Sign-in accepted{windows}.", usage.windows)


def _refused(plan: OAuthPlan, counted: Attempt, answer: Answer) -> OAuthFinding:
    complaint = parse_error_body(answer)
    verdict = _verdict_of(plan, counted, answer, complaint)
    details = described(answer, complaint)
    if verdict is Verdict.INCONCLUSIVE and blames_the_question(counted.request.endpoint, answer.status, complaint):
        return OAuthFinding(
            verdict, f"The model {plan.model} is not known there {details}, which proves nothing: set probeModel."
        )
    if verdict is Verdict.INCONCLUSIVE:
        return OAuthFinding(verdict, f"The check itself was rejected {details}: this proves nothing about the account.")
    return OAuthFinding(verdict, f"{VERDICTS[verdict].file_finding} {details}.")


def _verdict_of(plan: OAuthPlan, counted: Attempt, answer: Answer, complaint: ErrorBody) -> Verdict:
    """Return the verdict of a refusal: a listed code first, then inconclusive answers, then the status."""
    status, endpoint = answer.status, counted.request.endpoint
    if status // 100 == 4 and revoked_codes(plan.type).intersection(code.lower() for code in complaint.codes):  # noqa: PLR2004 - refusals
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
