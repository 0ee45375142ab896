"""Reasons of actions on hold: a code with parameters, phrased by one table."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from extension.reasons.terms import in_words


class HoldCode(StrEnum):
    """Code of a reason why an automatic action waits or is on hold."""

    AWAITING_PROBES = "awaiting_probes"
    SHARED_FAILURE = "shared_failure"
    FAILURES_AROUND = "failures_around"
    NOTHING_AFTER = "nothing_after"
    NO_SUCCESS = "no_success"
    FIRST_FAILURE = "first_failure"
    TEMPORARY = "temporary"
    SAME_FOR_ANY_KEY = "same_for_any_key"
    AWAITING_CONTROL = "awaiting_control"
    WITNESS_FAILED = "witness_failed"
    NOT_CONFIRMED = "not_confirmed"
    OTHERS_NOT_CONFIRMED = "others_not_confirmed"
    DISABLE_LIMIT = "disable_limit"
    DELETE_LIMIT = "delete_limit"
    AUTOMATION_PAUSED = "automation_paused"
    OWN_NETWORK = "own_network"


HOLD_TEXTS: Final[Mapping[HoldCode, str]] = MappingProxyType(
    {
        HoldCode.AWAITING_PROBES: "Waiting for probes of this host, {minimum} in all, or for the end of the run.",
        HoldCode.SHARED_FAILURE: (
            "On hold: {alike} of {probes} probes of this host failed the same way; the host is the likely cause."
        ),
        HoldCode.FAILURES_AROUND: (
            "On hold: most of the {width} probes of this host around it failed the same way; "
            "the host is the likely cause."
        ),
        HoldCode.NOTHING_AFTER: (
            "On hold: the last {alike} probes of this host failed the same way and none worked after them; "
            "the host may have begun to fail."
        ),
        HoldCode.NO_SUCCESS: (
            "On hold: none of the {probes} accounts of this base URL and proxy worked in this run; all of them failed "
            "together."
        ),
        HoldCode.FIRST_FAILURE: (
            "On hold: the only account of its host; disabled when the same is seen again, at least ten minutes later."
        ),
        HoldCode.TEMPORARY: (
            "On hold: a failure of this kind is often temporary; disabled when seen again, at least ten minutes later."
        ),
        HoldCode.SAME_FOR_ANY_KEY: (
            "On hold: right before the change a wrong key got the same answer, so that the host refuses everybody."
        ),
        HoldCode.AWAITING_CONTROL: (
            "On hold: no wrong key may be sent to this base URL now to see whether it refuses everybody; a later run "
            "compares again."
        ),
        HoldCode.WITNESS_FAILED: (
            "On hold: right before the change an account of this base URL that had worked failed, too; the host may "
            "have begun to fail."
        ),
        HoldCode.NOT_CONFIRMED: "On hold: asked again right before the change, the account did not fail likewise.",
        HoldCode.OTHERS_NOT_CONFIRMED: (
            "On hold: asked again right before the change, other failed accounts of this base URL did not fail "
            "likewise; the host may fail by chance."
        ),
        HoldCode.DISABLE_LIMIT: "On hold: one run disables no more accounts than its limit of {limit} (disableLimit).",
        HoldCode.DELETE_LIMIT: "On hold: one run deletes at most {limit} files.",
        HoldCode.AUTOMATION_PAUSED: "On hold: automation is paused.",
        HoldCode.OWN_NETWORK: (
            "On hold: several hosts gave no answer, and none in this run shows that the network of the gateway works. "
            "Check its connection, name server and clock."
        ),
    }
)
"""Sentence of each code; the names in braces are its parameters."""


@dataclass(frozen=True, slots=True)
class HoldReason:
    """Reason of an action on hold as code and parameters."""

    code: HoldCode
    parameters: Mapping[str, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The reason as a sentence in English."""
        return HOLD_TEXTS[self.code].format_map({name: in_words(name, it) for name, it in self.parameters.items()})


def hold_text(code: str, parameters: Mapping[str, int]) -> str:
    """Return the reason of a stored code as a sentence in English; empty for a code of another version, or none."""
    return HoldReason(HoldCode(code), parameters).text if code in HOLD_TEXTS else ""
