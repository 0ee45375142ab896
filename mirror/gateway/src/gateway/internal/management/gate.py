"""Checks before every management path: existence, key and body size, and the version headers."""

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway import __version__
from gateway.internal.management.gojson import GoJSONResponse
from gateway.internal.management.routing import adding
from gateway.internal.operations.admission import Denied, admit, management_available
from gateway.internal.plugins.host import ADMITTED
from gateway.internal.runtime import Runtime

LONGEST_BODY = 16 * 1024 * 1024
_DIGITS = 18


class BodyTooLong(Exception):  # noqa: N818 - it names what happened
    """The body of a request is longer than ``LONGEST_BODY``."""


class BodyLimit:
    """Rejects a body that is too long: by its declared length before any of it is read, else while it is read."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif _declared(Headers(scope=scope).get("content-length", "")) > LONGEST_BODY:
            await too_long()(scope, receive, send)
        else:
            await self._app(scope, _counting(receive), send)


def too_long() -> GoJSONResponse:
    return GoJSONResponse({"error": f"request body too large: at most {LONGEST_BODY} bytes"}, 413)


def _declared(text: str) -> int:
    """Return a declared length; one with too many digits is too long."""
    if not text.isascii() or not text.isdigit():
        return 0
    return int(text) if len(text) <= _DIGITS else LONGEST_BODY + 1


def _counting(receive: Receive) -> Receive:
    size = 0

    async def counted() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > LONGEST_BODY:
            raise BodyTooLong
        return message

    return counted


PREFIX = "/v0/management"
_KEYLESS = frozenset({("GET", f"{PREFIX}/oauth-callback"), ("POST", f"{PREFIX}/oauth-callback")})
_TOO_MANY = 429
_VERSION_HEADERS = {
    "x-cpa-version": __version__,
    "x-cpa-commit": "none",
    "x-cpa-build-date": "unknown",
    "x-cpa-support-plugin": "0",
    "x-cpa-distribution": "poolkeeper",
}


class ManagementGate:
    """Guards everything below ``/v0/management``, unknown paths included.

    Without a secret the paths do not exist: 404 with an empty body and without version headers. Otherwise every answer
    has the version headers. The gate follows the configuration without a restart.

    ``GET`` and ``POST oauth-callback`` take no key, as in the stock gateway: a browser sends them after signing in, and
    must not be counted as a guesser. Requests that a plugin sends through its host need none either.
    """

    def __init__(self, app: ASGIApp, runtime: Runtime) -> None:
        self._app = app
        self._limited = BodyLimit(app)
        self._runtime = runtime

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not is_management(scope["path"]):
            await self._app(scope, receive, send)
        elif not management_available(self._runtime):
            await Response(status_code=404)(scope, receive, send)
        elif (scope["method"], scope["path"]) in _KEYLESS or ADMITTED in scope.get("extensions", {}):
            await self._limited(scope, receive, send)
        else:
            await self._judge(scope, receive, adding(send, _VERSION_HEADERS))

    async def _judge(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        decision = await admit(self._runtime, Headers(scope=scope), client[0] if client else None)
        if isinstance(decision, Denied):
            await denial(decision)(scope, receive, send)
        else:
            await self._limited(scope, receive, send)


def denial(denied: Denied) -> Response:
    if not denied.body:
        return Response(status_code=denied.status)
    wait = {"Retry-After": str(denied.retry_after)} if denied.status == _TOO_MANY and denied.retry_after else {}
    return GoJSONResponse(dict(denied.body), denied.status, wait)


def is_management(path: str) -> bool:
    return path == PREFIX or path.startswith(f"{PREFIX}/")
