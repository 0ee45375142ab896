"""Calls: requests sent upstream with a stored credential ."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol

from adapter.port.section import AccountRef

TOKEN_PLACEHOLDER: Final = "$TOKEN$"  # noqa: S105 - the specified placeholder, not a password
"""Placeholder that the gateway replaces by the credential, in header values only."""

BODY_LIMIT: Final = 1_048_576
"""An answer's body is cut after this many bytes; `Answer.truncated` says so."""


@dataclass(frozen=True, slots=True)
class OutboundCall:
    """One request to an upstream; the credential stays with the gateway."""

    account: AccountRef
    method: str
    """Any case; sent in upper case."""
    url: str
    """Absolute, http or https. Nothing is replaced in it."""
    header: Mapping[str, str] = field(default_factory=dict)
    """`TOKEN_PLACEHOLDER` in a value is replaced by the account's credential, every time it occurs. The headers that an
    entry of the configuration has are sent as well, and replace others of the same name, as with its traffic."""
    body: str = ""
    """Empty: no body. Nothing is replaced in it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The upstream answered, whatever it answered.

    An upstream that echoes the credential does not leak it: it is replaced in `header` and `body` before the answer
    leaves the adapter.
    """

    status: int
    header: Mapping[str, tuple[str, ...]]
    """Names as the gateway passes them on; compare them without case. Bytes of a value that are no text come out as
    U+FFFD."""
    body: str
    """Decoded as UTF-8, bytes that are not come out as U+FFFD; at most `BODY_LIMIT` bytes of the original."""
    truncated: bool
    elapsed: float
    """Seconds from sending to the end of the body, the gateway's fixed cost included (`About.seconds_per_call`)."""
    repeats_key: bool = False
    """Header or body repeat the account's key, a part of it, or another key of the pool, in whatever encoding: neither
    is to be shown."""
    settled: float = 0.0
    """Seconds from the end of the body to the return: readings that showed whether the answer is about the account."""

    def header_value(self, name: str) -> str | None:
        """The first value of a header, found without regard to case; None when it is absent."""
        lower_name = name.lower()
        return next((values[0] for key, values in self.header.items() if key.lower() == lower_name and values), None)


class NoAnswerKind(StrEnum):
    """Reason for a missing answer."""

    TIMEOUT = "timeout"
    CONNECT = "connect"
    DNS = "dns"
    TLS = "tls"
    PROXY = "proxy"
    BLOCKED = "blocked"
    """The gateway's guard refuses to call that address."""
    UNREADABLE = "unreadable"
    """The answer had begun, and its body broke off, cannot be decoded, or goes on beyond any limit."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The upstream did not answer: status 0 in results. It is a value, not an error."""

    kind: NoAnswerKind
    detail: str
    """One line for people, without secrets."""
    elapsed: float
    """Seconds until it was given up."""


class Calls(Protocol):
    """The role that sends requests upstream."""

    async def call(self, request: OutboundCall, *, timeout: float) -> Answer | NoAnswer:  # noqa: ASYNC109 - it bounds the upstream's time, and ends in a value
        """Send one request with an account's credential and return the answer, or its absence.

        `timeout` is in seconds and bounds the whole upstream exchange; passing it is `NoAnswer(timeout)`. Nothing is
        retried. Cancelling cancels the upstream request. Bodies are bounded by `BODY_LIMIT`.

        Raises:
            UnknownCredential: the account is not live; nothing was sent.
            Rejected: the gateway refuses the request itself (method, url), or could not resolve its credential.
            Unsupported: the gateway lacks `Capability.CALL`.
            GatewayError: trouble with the gateway, never with the credential.
        """
