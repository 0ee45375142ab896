"""Outcome of one request of a probe."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from adapter.port import AccountRef, Answer, NoAnswer, NoAnswerKind, OutboundCall
from extension.inspection.accounts.families import ProbeEndpoint
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import ReasonList, because

_SHORTAGE: Final = re.compile(
    r"too many open files|cannot allocate memory|no buffer space|\b(EMFILE|ENFILE|ENOMEM|ENOBUFS)\b", re.IGNORECASE
)
"""Words by which an operating system reports that it lacks descriptors, memory or buffers."""

NO_ANSWER_STATUS: Final = 0
"""Status of a request without an answer."""


class Stage(StrEnum):
    """Which request of a probe; the confirmed ones repeat a refused one with the vendor's own header.

    The last one is sent when neither the primary nor the fallback yields anything: by some OAuth types, and for the
    list of models right below a base URL. The authenticated request costs nothing and shows whether a key is checked
    where the list of models is public or refused; the question is the minimal chat beyond it.
    """

    PRIMARY = "primary"
    FALLBACK = "fallback"
    LAST = "last"
    CONFIRMED_PRIMARY = "confirmed primary"
    CONFIRMED_FALLBACK = "confirmed fallback"
    AUTHENTICATED = "authenticated"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class ProbeRequest:
    """One request to an upstream, with the placeholder where the gateway puts the credential."""

    stage: Stage
    endpoint: ProbeEndpoint
    method: str
    url: str
    header: Mapping[str, str]
    body: str = ""

    def call(self, account: AccountRef) -> OutboundCall:
        """Return the call that sends this request with the credential of an account."""
        return OutboundCall(account=account, method=self.method, url=self.url, header=self.header, body=self.body)


@dataclass(frozen=True, slots=True)
class GatewayTrouble:
    """The gateway, not the upstream, failed: unreachable, refusing us, cancelled. It says nothing about a credential.

    ``reasons`` say so to people; ``elapsed`` is in seconds.
    """

    reasons: ReasonList
    elapsed: float = 0.0


@dataclass(frozen=True, slots=True)
class Attempt:
    """A request that was sent, and its answer."""

    request: ProbeRequest
    answer: Answer | NoAnswer | GatewayTrouble = field(repr=False)

    @property
    def status(self) -> int | None:
        """HTTP status of the upstream, 0 when it did not answer, None when it was never asked."""
        if isinstance(self.answer, Answer):
            return self.answer.status
        return None if self.trouble else NO_ANSWER_STATUS

    @property
    def trouble(self) -> ReasonList | None:
        """Reason for which this attempt says nothing about the credential, or None when it does.

        An address that the gateway's guard does not call is the gateway's trouble, as is a proxy that does not answer:
        the upstream was never asked. So is a lack of descriptors, memory or buffers on our side, which looks like an
        unreachable host.
        """
        if isinstance(self.answer, GatewayTrouble):
            return self.answer.reasons
        if isinstance(self.answer, NoAnswer) and self.answer.kind is NoAnswerKind.BLOCKED:
            return because(ReasonCode.ADDRESS_NOT_CALLED, details=self.answer.detail)
        if isinstance(self.answer, NoAnswer) and self.answer.kind is NoAnswerKind.PROXY:
            return because(ReasonCode.PROXY_WITHOUT_ANSWER, details=self.answer.detail)
        if isinstance(self.answer, NoAnswer) and _SHORTAGE.search(self.answer.detail):
            return because(ReasonCode.SHORT_OF_RESOURCES, details=self.answer.detail)
        return None

    @property
    def milliseconds(self) -> int:
        """Time until the answer, or until it was given up."""
        return round(self.answer.elapsed * 1000)
