"""The front of the process: our paths to us, everything else to whatever is behind us, and one lifespan for both."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Final

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from adapter.contract.expectations import MANAGEMENT
from extension.api.auth.authenticator import COOKIE
from extension.api.auth.foreign import is_foreign, marked
from extension.api.auth.refusals import CSRF_HEADER
from extension.api.problems import Problem
from extension.serving.errors import ServingError
from extension.serving.web.lifespan import lifespan_of
from extension.store.errors import StoreError

_CLOSED: Final = "the handler is closed"
"""Part of the text of uvloop's error."""


class UntilClosed:
    """Sends messages (ASGI) until the connection is closed, and drops those after it."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._closed = False

    async def __call__(self, message: Message) -> None:
        """Send a message, or drop it."""
        if self._closed:
            return
        try:
            await self._send(message)
        except RuntimeError as error:
            if _CLOSED not in str(error):
                raise
            self._closed = True


Claim = Callable[[str], bool]
"""Predicate on paths that belong to an application of ours."""
Opening = Callable[[], AbstractAsyncContextManager[ASGIApp]]
"""Opens an application for as long as the service runs."""

_CSRF: Final = CSRF_HEADER.lower().encode()
_COOKIE_HEADER: Final = b"cookie"
_SESSION: Final = COOKIE.encode()
_log = structlog.get_logger("poolkeeper.serving")


class Router:
    """Hands on (ASGI): to `page` and the opened `api` by their claims, the rest to `fallback`, without our credentials.

    The lifespan starts the fallback first and stops it last, because the interface works with it. `release` is called
    at the end of a lifespan, also of one that did not start: it lets go of what was held before. `hosts` are the names
    under which browsers reach the service.
    """

    def __init__(
        self,
        api: Opening,
        api_claim: Claim,
        page: ASGIApp,
        page_claim: Claim,
        fallback: ASGIApp,
        *,
        hosts: Sequence[str] = (),
        release: Callable[[], None] = lambda: None,
    ) -> None:
        self._open_api = api
        self._release = release
        self._hosts = hosts
        self._claims: Sequence[tuple[Claim, Callable[[], ASGIApp]]] = (
            (api_claim, lambda: self._api),
            (page_claim, lambda: page),
        )
        self._fallback = fallback
        self._api: ASGIApp = not_ready

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the lifespan, or hand on a connection."""
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
            return
        send = UntilClosed(send)
        if scope["type"] == "http":
            if scope["path"].startswith(MANAGEMENT) and is_foreign(scope["headers"], self._hosts):
                scope = {**scope, "headers": marked(scope["headers"])}
            for claim, application in self._claims:
                if claim(scope["path"]):
                    await application()(scope, receive, send)
                    return
        await self._fallback({**scope, "headers": stripped(scope["headers"])}, receive, send)

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        running = AsyncExitStack()
        running.callback(self._release)
        try:
            await running.enter_async_context(lifespan_of(self._fallback, scope))
            self._api = await running.enter_async_context(self._open_api())
        except Exception as error:  # noqa: BLE001 - the server learns of it and ends the process
            await running.aclose()
            await send({"type": "lifespan.startup.failed", "message": _told(error)})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        try:
            self._api = not_ready
            await running.aclose()
        except Exception as error:  # noqa: BLE001 - as above
            await send({"type": "lifespan.shutdown.failed", "message": _told(error)})
            return
        await send({"type": "lifespan.shutdown.complete"})


def _told(error: Exception) -> str:
    """Put an error in one line; an unforeseen one leaves its trace in the log first."""
    if not isinstance(error, ServingError | StoreError):
        _log.error("unexpected", exc_info=error)
        return "Unexpected error: see the log above."
    return str(error)


async def not_ready(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request that comes before the service has opened, or after it has closed."""
    problem = Problem(503, "The service is not ready.", "not_ready", "Try again in a moment.", {"Retry-After": "1"})
    await problem.answer()(scope, receive, send)


def stripped(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return headers, names in lower case, without the session and its token; foreign cookies stay."""
    if not any(name == _CSRF or (name == _COOKIE_HEADER and _SESSION in value.lower()) for name, value in headers):
        return headers
    passed = []
    for name, value in headers:
        foreign = _foreign(value) if name == _COOKIE_HEADER else value
        if name != _CSRF and (foreign or name != _COOKIE_HEADER):
            passed.append((name, foreign))
    return passed


def _foreign(cookies: bytes) -> bytes:
    """Return the cookies of others. A proxy that joins lines of a header parts them by a comma."""
    if b"," in cookies:
        groups = [_others(group.split(b","), b",") for group in cookies.split(b";")]
        return b"; ".join(group for group in groups if group)
    return _others(cookies.split(b";"), b"; ")


def _others(pairs: list[bytes], between: bytes) -> bytes:
    named = ((pair.strip(), pair.partition(b"=")[0].strip(b'" \t').lower()) for pair in pairs)
    return between.join(pair for pair, name in named if name != _SESSION)
