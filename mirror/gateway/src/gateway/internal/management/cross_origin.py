"""The Access-Control headers of every answer, and the answer to every OPTIONS request."""

from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_EXPOSED = (
    "X-CPA-TRACE-ID",
    "X-CPA-VERSION",
    "X-CPA-COMMIT",
    "X-CPA-BUILD-DATE",
    "X-CPA-SUPPORT-PLUGIN",
    "X-CPA-HOME-VERSION",
    "X-CPA-HOME-BUILD-DATE",
    "X-SERVER-VERSION",
    "X-SERVER-BUILD-DATE",
    "Location",
    "Retry-After",
    "X-Request-Id",
    "OpenAI-Request-Id",
)
_HEADERS = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
    "access-control-allow-headers": "*",
    "access-control-expose-headers": ", ".join(_EXPOSED),
}


class CrossOrigin:
    """Lets pages of any origin talk to the gateway: they still need a key, which no browser sends by itself.

    OPTIONS on any path is 204 without a body, before any check of a key.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer OPTIONS, and add the headers to every other answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif scope["method"] == "OPTIONS":
            await Response(status_code=204, headers=_HEADERS)(scope, receive, send)
        else:
            await self._app(scope, receive, _adding(send))


def _adding(send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(_HEADERS)
        await send(message)

    return wrapped
