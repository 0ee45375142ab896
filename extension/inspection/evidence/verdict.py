"""Verdicts: what a probe found out about an account, with the words a person reads for each."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Verdict(StrEnum):
    """What the evidence says about one account."""

    HEALTHY = "healthy"
    DOUBTFUL = "doubtful"
    UNAUTHORISED = "unauthorised"
    FORBIDDEN = "forbidden"
    REAUTH = "reauth"
    REVOKED = "revoked"
    QUOTA = "quota"
    RATE_LIMITED = "rate_limited"
    REJECTED = "rejected"
    PROVIDER_TROUBLE = "provider_trouble"
    UNREACHABLE = "unreachable"
    NO_ADDRESS = "no_address"
    NO_PROBE = "no_probe"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """One row of the legend."""

    label: str
    meaning: str


VERDICTS: Mapping[Verdict, VerdictRow] = MappingProxyType(
    {
        Verdict.HEALTHY: VerdictRow("Healthy", "The provider answered 2xx with what its interface answers."),
        Verdict.DOUBTFUL: VerdictRow(
            "Doubtful",
            "An answer that proves nothing about the key: 2xx but not what the interface answers, or an unknown model.",
        ),
        Verdict.UNAUTHORISED: VerdictRow("Unauthorised", "The provider refuses the key (401)."),
        Verdict.FORBIDDEN: VerdictRow("Forbidden", "The provider knows the key but does not let it in (403)."),
        Verdict.REAUTH: VerdictRow(
            "New log-in needed", "An OAuth file whose log-in has ended (401): a new log-in brings it back."
        ),
        Verdict.REVOKED: VerdictRow(
            "Revoked",
            "An OAuth file whose log-in the vendor has withdrawn, told by a listed error code; only when that is seen "
            "twice, at least ten minutes apart, is deletion recommended.",
        ),
        Verdict.QUOTA: VerdictRow(
            "Quota",
            "Balance or quota is used up: 402, 429 that says so, or a window of an OAuth file at its threshold.",
        ),
        Verdict.RATE_LIMITED: VerdictRow("Rate limited", "Too many requests for now (429)."),
        Verdict.REJECTED: VerdictRow("Rejected", "Another answer below 500 that is not 2xx."),
        Verdict.PROVIDER_TROUBLE: VerdictRow("Provider trouble", "The provider failed by itself (5xx)."),
        Verdict.UNREACHABLE: VerdictRow("Unreachable", "Nobody answered: timeout, refused, closed, name not found."),
        Verdict.NO_ADDRESS: VerdictRow("No address", "The base address is missing, so no probe was sent."),
        Verdict.NO_PROBE: VerdictRow("No probe", "This account cannot be probed; the reason says why."),
        Verdict.UNKNOWN: VerdictRow(
            "Unknown", "The gateway, not the provider, was in trouble: it could not be checked."
        ),
    }
)
"""The legend, in the order of the decision table."""

NO_EVIDENCE = frozenset({Verdict.DOUBTFUL, Verdict.NO_ADDRESS, Verdict.NO_PROBE, Verdict.UNKNOWN})
"""Verdicts that prove nothing about a key: none of them is ever a reason to act."""

_BY_STATUS: Mapping[int, Verdict] = MappingProxyType(
    {
        0: Verdict.UNREACHABLE,
        401: Verdict.UNAUTHORISED,
        402: Verdict.QUOTA,
        403: Verdict.FORBIDDEN,
        429: Verdict.RATE_LIMITED,
    }
)
_BY_CLASS: Mapping[int, Verdict] = MappingProxyType({2: Verdict.HEALTHY, 5: Verdict.PROVIDER_TROUBLE})


def verdict_of_status(status: int) -> Verdict:
    """Return what a status says by itself, before the body is looked at; 0 means that nobody answered."""
    return _BY_STATUS.get(status) or _BY_CLASS.get(status // 100, Verdict.REJECTED)
