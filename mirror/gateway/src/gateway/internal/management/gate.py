"""What stands before every management path: the gate, the version headers, and the check of the key."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway import __version__
from gateway.internal.management.body_limit import BodyLimit
from gateway.internal.management.gojson import GoJSONResponse
from gateway.internal.operations.admission import Denied, admit, management_available
from gateway.internal.plugins.host import ADMITTED
from gateway.internal.runtime import Runtime

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
    """Guards everything below ``/v0/management``, known paths and unknown ones alike.

    While no secret is set the paths do not exist: 404 with an empty body and without version headers. Otherwise every
    answer has the version headers, those to a missing or wrong key too. The gate opens and closes with the
    configuration, without a restart.

    ``GET`` and ``POST oauth-callback`` take no key, as in the stock gateway: a browser sends them after a log-in, and
    must not be counted as somebody who guesses. Every other method of that path needs the key. So does no request that
    a plugin sends through its host.
    """

    def __init__(self, app: ASGIApp, runtime: Runtime) -> None:
        self._app = app
        self._limited = BodyLimit(app)
        self._runtime = runtime

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in or answer it."""
        if scope["type"] != "http" or not is_management(scope["path"]):
            await self._app(scope, receive, send)
        elif not management_available(self._runtime):
            await Response(status_code=404)(scope, receive, send)
        elif (scope["method"], scope["path"]) in _KEYLESS or ADMITTED in scope.get("extensions", {}):
            await self._limited(scope, receive, send)
        else:
            await self._judge(scope, receive, _adding_version(send))

    async def _judge(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        decision = await admit(self._runtime, Headers(scope=scope), client[0] if client else None)
        if isinstance(decision, Denied):
            await denial(decision)(scope, receive, send)
        else:
            await self._limited(scope, receive, send)


def denial(denied: Denied) -> Response:
    """Return the answer to a caller who is not let in."""
    if not denied.body:
        return Response(status_code=denied.status)
    wait = {"Retry-After": str(denied.retry_after)} if denied.status == _TOO_MANY and denied.retry_after else {}
    return GoJSONResponse(dict(denied.body), denied.status, wait)


def is_management(path: str) -> bool:
    """Whether a path belongs to the management interface."""
    return path == PREFIX or path.startswith(f"{PREFIX}/")


def _adding_version(send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(_VERSION_HEADERS)
        await send(message)

    return wrapped
