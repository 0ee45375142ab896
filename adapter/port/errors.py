"""Errors between us and a gateway.

    GatewayError(applied)
    ├── Unavailable(retry_after)      cannot be reached, or not ready
    │   └── NotOwned                  another process may own the gateway: nothing was sent
    ├── TimedOut                      took longer than it may
    ├── Unauthorised                  our own management key is refused: stop everything
    ├── Banned(until)                 our own address is locked out: stop until then
    ├── NotFound                      no such account, file or document
    ├── UnknownCredential             no live credential answers to this reference
    ├── ConflictError                 the revision to be replaced is not the expected one
    ├── Rejected(code, text)          understood and refused
    └── Unsupported(capability)       this gateway cannot do that at all

All of them are about the gateway, never about a credential: they yield the verdict `unknown` and never an action.
Only reads are retried, and only when `applied` is "no". `errors.ConflictError` is the exception;
`adapter.port.Conflict` is the outcome of one change in a batch.
"""
# ruff: noqa: N818 - the names are those of the interface; "Error" at the end of each would say nothing more

from collections.abc import Mapping
from typing import Literal

from adapter.port.capabilities import Capability

Effect = Literal["no", "maybe"]


class GatewayError(Exception):
    """A verb of the port failed for a reason of the gateway's.

    `applied` says whether the request may have taken effect: "no" means certainly not.
    The text names the event and the next step; it never holds a secret.
    """

    def __init__(self, text: str, *, applied: Effect = "no") -> None:
        super().__init__(text)
        self.text = text
        self.applied: Effect = applied


class Unavailable(GatewayError):
    """The gateway cannot be reached, is starting, or answers 5xx of its own.

    `retry_after` is in seconds when the gateway named a time, else None.
    """

    def __init__(self, text: str, *, retry_after: float | None = None, applied: Effect = "no") -> None:
        super().__init__(text, applied=applied)
        self.retry_after = retry_after


class Untrusted(Unavailable):
    """The certificate of the gateway is not trusted by this process, which sends it nothing."""


class NotOwned(Unavailable):
    """This process could not confirm in time that it owns the gateway, and sent nothing."""


class TimedOut(GatewayError):
    """The gateway itself (not an upstream) did not answer in time; writes may have taken effect."""


class Unauthorised(GatewayError):
    """The management key we hold is refused. Everything stops: five such answers ban our address."""


class Banned(GatewayError):
    """Our address is locked out by the gateway until `until` (integer milliseconds UTC, None when not known)."""

    def __init__(self, text: str, *, until: int | None = None) -> None:
        super().__init__(text)
        self.until = until


class NotFound(GatewayError):
    """There is no such file or document; for a lookup by name, the next candidate name may be tried."""


class UnknownCredential(GatewayError):
    """No live credential belongs to the reference of a call, so nothing was sent upstream.

    A stock gateway would send the placeholder `$TOKEN$` itself, and the 401 to it would look like a dead key.
    """


class ConflictError(GatewayError):
    """The text, section or file changed since it was read; nothing was written."""


class Rejected(GatewayError):
    """The gateway understood and refused. `code` is a slug for programs, `text` one line for people.

    `parameters` are those of a refusal that we phrase, as in `adapter.port.Refused`.
    """

    def __init__(self, code: str, text: str, parameters: Mapping[str, str | int] | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.parameters = parameters or {}


class Unsupported(GatewayError):
    """The gateway lacks a capability; the verb did nothing. Callers ask for the token before they offer the verb."""

    def __init__(self, capability: Capability, text: str | None = None) -> None:
        super().__init__(text or f"This gateway cannot do that: it lacks the capability {capability.value!r}.")
        self.capability = capability
