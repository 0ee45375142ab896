"""Admission: the check of a management key."""

from dataclasses import dataclass

from adapter.privacy.secret import Secret


@dataclass(frozen=True, slots=True)
class AdmissionAttempt:
    """Someone at a TCP peer shows a management key."""

    key: Secret | None
    """The value of `Authorization` (without `Bearer`) or `X-Management-Key`; None when neither was sent."""
    peer: str
    """The address of the TCP connection, never one that a header claims."""
    fetch_site: str = ""
    """The value of `Sec-Fetch-Site`: a browser says there whether a page of another site sends the request."""
    forwarded: str = ""
    """The value of `X-Forwarded-For`, which counts from proxies alone that the gateway trusts."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """The key is right and the peer is neither locked out nor kept local."""


@dataclass(frozen=True, slots=True)
class Denied:
    """Not let in: answer with exactly this."""

    status: int
    body: str
    """A JSON object as text, or empty where there is no management interface at all (404)."""
    retry_after: int | None = None
    """Seconds until the peer's lock-out ends, or until a busy check (429) may be tried again; else None."""


Admission = Admitted | Denied
"""The decision on one attempt."""
