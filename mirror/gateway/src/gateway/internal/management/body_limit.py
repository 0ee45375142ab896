"""The longest body of a management request: each is held in memory as a whole."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.internal.management.gojson import GoJSONResponse

LONGEST_BODY = 16 * 1024 * 1024
_DIGITS = 18


class BodyTooLong(Exception):  # noqa: N818 - it names what happened
    """The body of a request is longer than ``LONGEST_BODY``."""


class BodyLimit:
    """Refuses a body that is too long: by its declared length before any of it is read, else while it is read."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on with a limit, or answer 413."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif _declared(Headers(scope=scope).get("content-length", "")) > LONGEST_BODY:
            await too_long()(scope, receive, send)
        else:
            await self._app(scope, _counting(receive), send)


def too_long() -> GoJSONResponse:
    """Return the answer to a body that is too long."""
    return GoJSONResponse({"error": f"request body too large: at most {LONGEST_BODY} bytes"}, 413)


def _declared(text: str) -> int:
    """Return a declared length; one of so many digits that it says nothing is too long."""
    if not text.isascii() or not text.isdigit():
        return 0
    return int(text) if len(text) <= _DIGITS else LONGEST_BODY + 1


def _counting(receive: Receive) -> Receive:
    taken = 0

    async def counted() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > LONGEST_BODY:
            raise BodyTooLong
        return message

    return counted
