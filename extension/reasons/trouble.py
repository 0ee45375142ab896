"""Reasons for errors of the gateway and the store: a code for their kind, and their own words in English."""

from collections.abc import Mapping
from typing import Final

from adapter.port import GatewayError, errors
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import Reason, ReasonList, because

_MOST_QUOTED: Final = 400
_KINDS: Final[Mapping[type[GatewayError], ReasonCode]] = {
    errors.Unavailable: ReasonCode.GATEWAY_UNAVAILABLE,
    errors.TimedOut: ReasonCode.GATEWAY_TIMED_OUT,
    errors.Unauthorised: ReasonCode.GATEWAY_UNAUTHORISED,
    errors.Banned: ReasonCode.GATEWAY_BANNED,
    errors.NotFound: ReasonCode.GATEWAY_WITHOUT_IT,
    errors.ConflictError: ReasonCode.GATEWAY_CHANGED,
    errors.UnknownCredential: ReasonCode.GATEWAY_WITHOUT_ACCOUNT,
}


def trouble_reasons(error: Exception) -> ReasonList:
    """Return the reason for an error of the gateway, else of the store; a refusal by the gateway quotes its words."""
    if not isinstance(error, GatewayError):
        return ReasonList((Reason(ReasonCode.STORE_FAILED),), str(error)[:_MOST_QUOTED])
    words = error.text[:_MOST_QUOTED]
    if isinstance(error, errors.Unsupported):
        return ReasonList((Reason(ReasonCode.GATEWAY_LACKS, {"capability": error.capability.value}),), words)
    if isinstance(error, errors.Banned) and error.until is not None:
        return ReasonList((Reason(ReasonCode.GATEWAY_BANNED_UNTIL, {"ends_at": error.until}),), words)
    code = next((code for kind, code in _KINDS.items() if isinstance(error, kind)), None)
    return because(ReasonCode.GATEWAY_FAILED, said=words) if code is None else ReasonList((Reason(code),), words)
