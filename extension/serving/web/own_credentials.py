"""Credentials of this service, which stay here: the gateway and its upstreams never see them."""

from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from extension.api.auth.authenticator import COOKIE
from extension.api.auth.refusals import CSRF_HEADER

_CSRF: Final = CSRF_HEADER.lower().encode()
_COOKIE_HEADER: Final = b"cookie"
_SESSION: Final = COOKIE.encode()


class WithoutOwnCredentials:
    """Takes session cookie and CSRF token out of requests that another application answers."""

    def __init__(self, inside: ASGIApp) -> None:
        self._inside = inside

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection (ASGI)."""
        if scope["type"] in {"http", "websocket"}:
            scope = {**scope, "headers": stripped(scope["headers"])}
        await self._inside(scope, receive, send)


def stripped(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return headers, names in lower case, without the session and its token; foreign cookies stay."""
    if not any(name == _CSRF or (name == _COOKIE_HEADER and _SESSION in value.lower()) for name, value in headers):
        return headers
    kept = []
    for name, value in headers:
        left = _foreign(value) if name == _COOKIE_HEADER else value
        if name != _CSRF and (left or name != _COOKIE_HEADER):
            kept.append((name, left))
    return kept


def _foreign(cookies: bytes) -> bytes:
    """Return the cookies of others. A proxy that joins lines of a header parts them by a comma."""
    if b"," in cookies:
        groups = [_others(group.split(b","), b",") for group in cookies.split(b";")]
        return b"; ".join(group for group in groups if group)
    return _others(cookies.split(b";"), b"; ")


def _others(pairs: list[bytes], between: bytes) -> bytes:
    named = ((pair.strip(), pair.partition(b"=")[0].strip(b'" \t').lower()) for pair in pairs)
    return between.join(pair for pair, name in named if name != _SESSION)
