"""Which headers pass through a proxy, and whose key. Pure.

Hop-by-hop headers belong to one connection and end here, with those that `Connection` names. On management paths the
visitor's key is read here and replaced by ours, cookies stay here, and claims about where a request comes from are
dropped: a stock gateway would believe them, and lock out or let in whom they name.
"""

import posixpath
from collections.abc import Iterable, Sequence
from typing import Final

from adapter.contract.expectations import MANAGEMENT, management
from adapter.privacy import management_key
from adapter.privacy.secret import Secret

RawHeaders = Iterable[tuple[bytes, bytes]]
"""Headers as ASGI hands them over: names in lower case."""

_HOP_BY_HOP: Final = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"trailers",
        b"transfer-encoding",
        b"upgrade",
    }
)
_KEYS: Final = frozenset({b"authorization", b"x-management-key"})
_CLAIMS: Final = frozenset({b"forwarded", b"x-forwarded-for", b"x-real-ip", b"cookie"})
_OPEN: Final = management("oauth-callback")
_CALL: Final = management("api-call")
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def is_management(path: str) -> bool:
    """Whether a path belongs to the gateway's management, however many slashes and dots it is written with."""
    collapsed = posixpath.normpath("/" + path.lstrip("/"))
    return collapsed == MANAGEMENT or collapsed.startswith(f"{MANAGEMENT}/")


def needs_key(path: str, method: str) -> bool:
    """Whether a request needs the management key: all of management but preflights and the OAuth call-back."""
    return is_management(path) and method != "OPTIONS" and path != _OPEN


def may_write(path: str, method: str) -> bool:
    """Whether a management request may change the configuration, so that a stock gateway loads it again."""
    return method not in _READING and path != _CALL


def presented(headers: RawHeaders) -> Secret | None:
    """The management key a visitor shows, by the gateway's own rule: Authorization first, then X-Management-Key."""
    found = {name: value.decode("latin-1") for name, value in reversed([*headers]) if name in _KEYS}
    return management_key.presented(found.get(b"authorization", ""), found.get(b"x-management-key", ""))


def outgoing(headers: RawHeaders, *, authorization: str | None) -> list[tuple[str, str]]:
    """The headers to send on; with `authorization` it replaces whatever key the visitor showed."""
    kept = [(name, value) for name, value in _end_to_end([*headers]) if name != b"host"]
    if authorization is not None:
        kept = [(name, value) for name, value in kept if name not in _KEYS | _CLAIMS]
        kept.append((b"authorization", authorization.encode()))
    return [(name.decode("latin-1"), value.decode("utf-8", "surrogateescape")) for name, value in kept]


def incoming(headers: RawHeaders) -> list[tuple[bytes, bytes]]:
    """The headers of an answer to hand back."""
    return _end_to_end([(name.lower(), value) for name, value in headers])


def has_body(headers: RawHeaders) -> bool:
    """Whether a request comes with a body."""
    found = dict(headers)
    return b"transfer-encoding" in found or found.get(b"content-length", b"0").strip() not in {b"", b"0"}


def asks_for_upgrade(headers: RawHeaders) -> bool:
    """Whether a request wants another protocol on this connection."""
    found = dict(headers)
    return b"upgrade" in found and b"upgrade" in found.get(b"connection", b"").lower()


def _end_to_end(headers: Sequence[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    named = {token.strip().lower() for name, value in headers if name == b"connection" for token in value.split(b",")}
    return [(name, value) for name, value in headers if name not in _HOP_BY_HOP and name not in named]
