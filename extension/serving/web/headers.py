"""Headers that every answer of ours carries, and the line each request leaves in the log."""

from collections.abc import Mapping
from types import MappingProxyType

import structlog
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from adapter.clock import Clock
from adapter.contract.expectations import PAGE_FILES
from extension.api.auth.authenticator import ADMITTED_BY_HOST

_log = structlog.get_logger("poolkeeper.access")
_FOUND = 200
_REFUSED = 429
_READS = frozenset({"GET", "HEAD"})

POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
"""The content security policy: only our own files, nothing inline, no framing."""

SECURITY_HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "Content-Security-Policy": POLICY,
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
    }
)

FRAMED_SECURITY_HEADERS: Mapping[str, str] = MappingProxyType(
    {
        **{name: value for name, value in SECURITY_HEADERS.items() if name != "X-Frame-Options"},
        "Content-Security-Policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
    }
)
"""The same for pages that a gateway's panel shows in a frame: same origin only."""

_TO_ANY_ORIGIN = "/app/app.js"
"""File for a sandboxed frame, whose opaque origin is that of no answer: it says why the page cannot work."""


class Headers:
    """Adds the security headers and, where the answer says nothing about caches, `no-store`; logs each request.

    The application `inside` may be replaced while the service runs. The log line holds method, path, status, duration
    and TCP peer; never the query, which may hold typed text.
    """

    def __init__(self, inside: ASGIApp, clock: Clock, security: Mapping[str, str] = SECURITY_HEADERS) -> None:
        self.inside = inside
        self._clock = clock
        self._security = security

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request (ASGI)."""
        began = self._clock.monotonic()
        status = 0

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in self._security.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
                if scope["path"].endswith(_TO_ANY_ORIGIN) and scope["path"].startswith(PAGE_FILES):
                    headers["Cross-Origin-Resource-Policy"] = "cross-origin"
            await send(message)

        try:
            await self.inside(scope, receive, sent)
        finally:
            (_log.debug if _is_noise(scope, status) else _log.info)(
                "request",
                method=scope["method"],
                path=scope["path"],
                status=status,
                ms=round((self._clock.monotonic() - began) * 1000),
                peer=(scope.get("client") or ("",))[0],
            )


def _is_noise(scope: Scope, status: int) -> bool:
    """Return whether the line of a request is of use only to a developer.

    One load of the page fetches dozens of its files: noise, unless one of them is missing. Refused reads come by the
    hundred, and a line each would cost more than the refusal. A stock gateway logs the requests to its plugins by
    itself, with the peer, which it does not pass on; our line took a tenth of the processor time of a small answer.
    """
    if status == _FOUND and scope["method"] in _READS:
        logged = ADMITTED_BY_HOST in scope.get("extensions", {}) and not scope.get("client")
        return logged or scope["path"].startswith(PAGE_FILES)
    return status == _REFUSED
