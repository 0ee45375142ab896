"""Requests of pages that are not the operator's: their wrong keys must not lock the operator out.

Theory of operation. A page of any site can send requests with made-up keys from the operator's browser, and a name
that its owner points at this machine makes such a page one of the same origin (DNS rebinding). The gateway counts
failures of `Sec-Fetch-Site: cross-site` apart from others, so that mark is set on whatever shows that it comes from
elsewhere. Nothing is refused for it: a right key is right under every name.
"""

import ipaddress
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

Headers = list[tuple[bytes, bytes]]
"""Headers as ASGI has them, names in lower case."""

_SITE: Final = b"sec-fetch-site"
_OWN_SITES: Final = frozenset({b"", b"same-origin", b"none"})


def marked(headers: Headers) -> Headers:
    """Return the headers with the mark of a page of another site."""
    return [*((name, value) for name, value in headers if name != _SITE), (_SITE, b"cross-site")]


def is_foreign(headers: Headers, hosts: Sequence[str]) -> bool:
    """Return whether a request comes from a page of another origin, or names a host that is none of ours.

    `hosts` are the names under which browsers reach the service, in lower case. An address or a name without a dot
    is ours in any case: the owner of another domain cannot have it point here.
    """
    values = dict(headers)
    if values.get(_SITE, b"").strip().lower() not in _OWN_SITES:
        return True
    authority = values.get(b"host", b"").decode("latin-1").lower()
    origin = values.get(b"origin", b"").decode("latin-1").lower()
    if origin and origin.partition("://")[2] != authority:
        return True
    return not _is_ours(authority, hosts)


def _is_ours(authority: str, hosts: Sequence[str]) -> bool:
    try:
        host = urlsplit(f"//{authority}").hostname or ""
    except ValueError:
        return False
    return "." not in host.rstrip(".") or host.endswith(".localhost") or host in hosts or _is_address(host)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
