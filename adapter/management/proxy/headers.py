"""Headers that pass through the proxy, and the key they carry. Pure.

Hop-by-hop headers belong to one connection and end here, with those that `Connection` names. On management paths the
client's key is read here and replaced by ours, cookies stay here, and claims about a request's origin are dropped: a
stock gateway (v7.2.140) believes X-Forwarded-For, and would lock out or let in the address it names.
"""

import posixpath
from collections.abc import Iterable, Sequence
from typing import Final
from urllib.parse import unquote_plus

from adapter.contract.expectations import MANAGEMENT, management
from adapter.management.admission import HeldKey
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
_OWN_KEY: Final = b"x-management-key"
_SCHEME: Final = "bearer"
_CLIENT_KEYS: Final = frozenset({b"x-api-key", b"x-goog-api-key"})
_CLAIMS: Final = frozenset({b"forwarded", b"x-forwarded-for", b"x-real-ip", b"cookie"})
_OPEN: Final = management("oauth-callback")
_OPEN_METHODS: Final = frozenset({"GET", "POST"})
_CALL: Final = management("api-call")
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def is_management(path: str) -> bool:
    """Return whether a path belongs to the gateway's management, however many slashes and dots it is written with."""
    collapsed = posixpath.normpath("/" + path.lstrip("/"))
    return collapsed == MANAGEMENT or collapsed.startswith(f"{MANAGEMENT}/")


def needs_key(path: str, method: str) -> bool:
    """Return whether a request needs the management key: all of management but preflights and the OAuth call-back.

    The gateway opens the call-back to GET and POST alone. Any other method counts there as a failed attempt of ours.
    """
    call_back = path == _OPEN and method in _OPEN_METHODS
    return is_management(path) and method != "OPTIONS" and not call_back


def may_write(path: str, method: str) -> bool:
    """Return whether a management request may change the configuration, so that a stock gateway loads it again."""
    return method not in _READING and path != _CALL


def presented(headers: RawHeaders) -> Secret | None:
    """Return the management key of a request, by the gateway's own rule: Authorization first, then X-Management-Key."""
    keys = {name: value.decode("latin-1") for name, value in reversed([*headers]) if name in _KEYS}
    return management_key.presented(keys.get(b"authorization", ""), keys.get(b"x-management-key", ""))


def fetch_site(headers: RawHeaders) -> str:
    """Return the value of `Sec-Fetch-Site`, in which a browser names the relation of the sending page."""
    return dict(headers).get(b"sec-fetch-site", b"").decode("latin-1")


def outgoing(headers: RawHeaders, *, authorization: str | None, held_key: HeldKey) -> list[tuple[str, str]]:
    """Return the headers to send on; `authorization` replaces the key of the request.

    On open paths, without `authorization`, the management key stays here whichever header holds it: the keys of
    inference clients have the same place, and pass.
    """
    passed = [(name, value) for name, value in _end_to_end([*headers]) if name != b"host"]
    if authorization is not None:
        passed = [(name, value) for name, value in passed if name not in _KEYS | _CLAIMS]
        passed.append((b"authorization", authorization.encode()))
    else:
        passed = [
            (name, value) for name, value in passed if _spelled(name) != _OWN_KEY and not _holds(name, value, held_key)
        ]
    return [(name.decode("latin-1"), value.decode("utf-8", "surrogateescape")) for name, value in passed]


def outgoing_query(query: bytes, held_key: HeldKey) -> bytes:
    """Return the query to send on to an open path: without parameters that hold the management key."""
    pairs = query.split(b"&")
    passed = [
        pair for pair in pairs if not held_key.is_right(Secret(unquote_plus(pair.partition(b"=")[2].decode("latin-1"))))
    ]
    return query if len(passed) == len(pairs) else b"&".join(passed)


def _holds(name: bytes, value: bytes, held_key: HeldKey) -> bool:
    """Return whether a header for keys holds the management key, also with blanks that no gateway takes off."""
    if _spelled(name) not in _KEYS | _CLIENT_KEYS:
        return False
    text = value.decode("latin-1")
    scheme, _, rest = text.strip().replace("\t", " ").partition(" ")
    bare = rest.strip() if scheme.lower() == _SCHEME else text.strip()
    keys = (management_key.presented(text, ""), management_key.presented("", bare))
    return any(key is not None and held_key.is_right(key) for key in keys)


def _spelled(name: bytes) -> bytes:
    return name.replace(b"_", b"-")


def incoming(headers: RawHeaders) -> list[tuple[bytes, bytes]]:
    """Return the headers of an answer to pass back."""
    return _end_to_end([(name.lower(), value) for name, value in headers])


def has_body(headers: RawHeaders) -> bool:
    """Return whether a request comes with a body."""
    values = dict(headers)
    return b"transfer-encoding" in values or values.get(b"content-length", b"0").strip() not in {b"", b"0"}


def asks_for_upgrade(headers: RawHeaders) -> bool:
    """Return whether a request wants another protocol on this connection."""
    values = dict(headers)
    return b"upgrade" in values and b"upgrade" in values.get(b"connection", b"").lower()


def _end_to_end(headers: Sequence[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    named = {token.strip().lower() for name, value in headers if name == b"connection" for token in value.split(b",")}
    return [(name, value) for name, value in headers if name not in _HOP_BY_HOP and name not in named]
