"""Table of verdicts: everything that depends on one.

Adding a verdict takes a member of `Verdict` and a row here; `extension.reasons.terms` may have better words for it.
A row without a required column, or a verdict without a row, fails at import with the names of column and row. Circuit
breaker, policies, revocation, legend and page derive from the table.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from adapter.port.table_row import TableRow
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Kind, Tone, Verdict
from extension.inspection.settings import InspectionSettings, Leniency

Choice = Callable[[InspectionSettings], Leniency]
"""Setting by which the configurable policy may keep accounts with a verdict."""


@dataclass(frozen=True, slots=True)
class VerdictRow(metaclass=TableRow):
    """One row of the table.

    `label` and `meaning` are the legend. `action` leads to the state that the first-phase policy calls for,
    and `choice` is the setting that may keep the account under the configurable one.
    `statuses` are the HTTP statuses that mean this verdict before the body is looked at (0: no answer).
    `cause` groups verdicts with one cause for the circuit breaker; None stands for the verdict itself.
    """

    label: str
    meaning: str
    kind: Kind = field(kw_only=True)
    tone: Tone = field(kw_only=True)
    action: Action = field(kw_only=True)
    choice: Choice | None = field(default=None, kw_only=True)
    statuses: Sequence[int] = field(default=(), kw_only=True)
    cause: Verdict | None = field(default=None, kw_only=True)


def _on_quota(settings: InspectionSettings) -> Leniency:
    return settings.on_quota


def _on_server_error(settings: InspectionSettings) -> Leniency:
    return settings.on_server_error


def complete(rows: Mapping[Verdict, VerdictRow]) -> Mapping[Verdict, VerdictRow]:
    """Return the table, read-only.

    Raises:
        LookupError: a verdict has no row.
    """
    missing = [verdict.value for verdict in Verdict if verdict not in rows]
    if missing:
        raise LookupError(f"No row in the table of verdicts for: {', '.join(missing)}.")
    return MappingProxyType(dict(rows))


VERDICTS: Mapping[Verdict, VerdictRow] = complete(
    {
        Verdict.HEALTHY: VerdictRow(
            "Healthy",
            "HTTP 2xx with a body that fits the provider's API.",
            kind=Kind.WORKS,
            tone=Tone.GOOD,
            action=Action.ENABLE,
            statuses=range(200, 300),
        ),
        Verdict.INCONCLUSIVE: VerdictRow(
            "Inconclusive",
            "An answer that proves nothing about the key: 2xx with an unexpected body, or an unknown model.",
            kind=Kind.NO_EVIDENCE,
            tone=Tone.CAUTION,
            action=Action.KEEP,
        ),
        Verdict.INVALID_KEY: VerdictRow(
            "Invalid key",
            "The provider does not accept the key (401).",
            kind=Kind.KEY,
            tone=Tone.BAD,
            action=Action.DISABLE,
            statuses=(401,),
        ),
        Verdict.FORBIDDEN: VerdictRow(
            "Forbidden",
            "The provider knows the key but does not permit the request (403).",
            kind=Kind.KEY,
            tone=Tone.BAD,
            action=Action.DISABLE,
            statuses=(403,),
        ),
        Verdict.RELOGIN_NEEDED: VerdictRow(
            "Re-login needed",
            "The sign-in of an OAuth file has expired (401): sign in again to restore it.",
            kind=Kind.KEY,
            tone=Tone.BAD,
            action=Action.DISABLE,
        ),
        Verdict.REVOKED: VerdictRow(
            "Revoked",
            "The vendor withdrew the sign-in of an OAuth file and said so by a listed error code; deletion is "
            "recommended only when that is seen twice, at least ten minutes apart.",
            kind=Kind.KEY,
            tone=Tone.BAD,
            action=Action.DISABLE,
        ),
        Verdict.OUT_OF_QUOTA: VerdictRow(
            "Out of quota",
            "Balance or quota is used up: 402, a 429 that says so, or a window of an OAuth file at its threshold.",
            kind=Kind.REFUSAL,
            tone=Tone.CAUTION,
            action=Action.DISABLE,
            choice=_on_quota,
            statuses=(402,),
            cause=Verdict.RATE_LIMITED,
        ),
        Verdict.RATE_LIMITED: VerdictRow(
            "Rate limited",
            "Too many requests for now (429).",
            kind=Kind.REFUSAL,
            tone=Tone.CAUTION,
            action=Action.DISABLE,
            choice=_on_quota,
            statuses=(429,),
        ),
        Verdict.BLOCKED: VerdictRow(
            "Blocked",
            "Something between the gateway and the API refuses every key: a challenge page, a region or IP list, a "
            "redirect. It says nothing about the key.",
            kind=Kind.NO_EVIDENCE,
            tone=Tone.CAUTION,
            action=Action.KEEP,
            cause=Verdict.FORBIDDEN,
        ),
        Verdict.REJECTED: VerdictRow(
            "Rejected",
            "Any other answer below 500 that is not 2xx.",
            kind=Kind.REFUSAL,
            tone=Tone.BAD,
            action=Action.DISABLE,
        ),
        Verdict.PROVIDER_ERROR: VerdictRow(
            "Provider error",
            "The provider failed (5xx).",
            kind=Kind.HOST,
            tone=Tone.CAUTION,
            action=Action.DISABLE,
            choice=_on_server_error,
            statuses=range(500, 600),
        ),
        Verdict.UNREACHABLE: VerdictRow(
            "Unreachable",
            "No answer: timeout, connection refused or closed, name not found.",
            kind=Kind.HOST,
            tone=Tone.BAD,
            action=Action.DISABLE,
            statuses=(0,),
            cause=Verdict.PROVIDER_ERROR,
        ),
        Verdict.NO_BASE_URL: VerdictRow(
            "No base URL",
            "The base URL is missing, so no probe was sent.",
            kind=Kind.NOT_PROBED,
            tone=Tone.CAUTION,
            action=Action.KEEP,
        ),
        Verdict.SKIPPED: VerdictRow(
            "Skipped",
            "Not probed; the reason says why.",
            kind=Kind.NOT_PROBED,
            tone=Tone.NEUTRAL,
            action=Action.KEEP,
        ),
        Verdict.UNKNOWN: VerdictRow(
            "Unknown",
            "Not checked: the gateway failed, not the provider.",
            kind=Kind.NOT_PROBED,
            tone=Tone.NEUTRAL,
            action=Action.KEEP,
        ),
    }
)
"""The table, in the order of the legend."""


def of_kind(*kinds: Kind) -> frozenset[Verdict]:
    """Return the verdicts of some kinds."""
    return frozenset(verdict for verdict, row in VERDICTS.items() if row.kind in kinds)


NO_EVIDENCE = of_kind(Kind.NO_EVIDENCE, Kind.NOT_PROBED)
"""Verdicts that prove nothing about a key: none of them is ever a reason to act."""

_BY_STATUS: Mapping[int, Verdict] = MappingProxyType(
    {status: verdict for verdict, row in VERDICTS.items() for status in row.statuses}
)


def verdict_of_status(status: int) -> Verdict:
    """Return the verdict of a status before the body is looked at; 0 means that no answer came."""
    return _BY_STATUS.get(status, Verdict.REJECTED)


def cause_of(verdict: Verdict) -> Verdict:
    """Return the verdict that stands for all verdicts of the same cause."""
    return VERDICTS[verdict].cause or verdict
