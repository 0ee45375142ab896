"""Routes like the stock gateway's, and the ASGI wrappers of all of them."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from html import escape
from typing import TypeVar

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.internal.management.gojson import GoJSONResponse
from gateway.internal.runtime import Runtime


class Resource:
    """Paths of one part of the gateway, over its runtime."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime


class ExactRoute(Route):
    """Route for exactly its methods: no HEAD beside GET, and no 405 for the others."""

    def __init__(self, path: str, endpoint: object, methods: Sequence[str]) -> None:
        super().__init__(path, endpoint, methods=list(methods))  # type: ignore[arg-type]  # Starlette accepts ASGI apps
        self.methods = set(methods)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, child = super().matches(scope)
        return (match, child) if match is Match.FULL else (Match.NONE, {})


async def not_found(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer an unknown path: 404 with an empty body."""
    await Response(status_code=404)(scope, receive, send)


class TrailingSlash:
    """Redirects a path with a missing or superfluous slash at its end, before any other check.

    301 for GET, 307 for every other method, without the headers of other answers. ``exists`` returns whether the part
    of the application at a path exists at the moment; no redirect reveals one that does not.
    """

    def __init__(self, app: ASGIApp, routes: Sequence[BaseRoute], exists: Callable[[str], bool]) -> None:
        self._app = app
        self._routes = routes
        self._exists = exists

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        target = self._target(scope) if scope["type"] == "http" else None
        if target is None:
            await self._app(scope, receive, send)
            return
        await _redirect(scope, target)(scope, receive, send)

    def _target(self, scope: Scope) -> str | None:
        path = scope["path"]
        if path == "/" or not self._exists(path) or self._is_route(scope):
            return None
        other = path[:-1] if path.endswith("/") else f"{path}/"
        return other if self._is_route({**scope, "path": other}) else None

    def _is_route(self, scope: Scope) -> bool:
        return any(route.matches(scope)[0] is Match.FULL for route in self._routes)


def _redirect(scope: Scope, path: str) -> Response:
    query = scope.get("query_string", b"").decode("latin-1")
    location = f"{path}?{query}" if query else path
    if scope["method"] != "GET":
        return RedirectResponse(location, status_code=307)
    answer = RedirectResponse(location, status_code=301)
    page = f'<a href="{escape(answer.headers["location"])}">Moved Permanently</a>.\n\n'
    return Response(page, 301, {"location": answer.headers["location"]}, "text/html; charset=utf-8")


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
    """Allows pages of any origin: they still need a key, which no browser sends by itself.

    OPTIONS on any path is 204 without a body, before any check of a key.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif scope["method"] == "OPTIONS":
            await Response(status_code=204, headers=_HEADERS)(scope, receive, send)
        else:
            await self._app(scope, receive, adding(send, _HEADERS))


def adding(send: Send, headers: Mapping[str, str]) -> Send:
    """Return ``send`` with headers added to the answer."""

    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(headers)
        await send(message)

    return wrapped


_CLOSED = ("/v1", "/v1beta", "/openai/v1", "/backend-api/codex")
_HEADER = {"X-CPA-SAFE-MODE": "example-api-key"}
_MESSAGE = (
    "Proxy API endpoints are disabled because api-keys contains template values. "
    "Replace them in config.yaml, or through /v0/management/api-keys."
)
_PAGE = f"<!doctype html><title>Safe mode</title><h1>Safe mode</h1><p>{_MESSAGE}</p>\n"


class SafeMode:
    """Answers 403 below the paths of clients, and an explanation at ``/``; management keeps working."""

    def __init__(self, app: ASGIApp, runtime: Runtime) -> None:
        self._app = app
        self._runtime = runtime

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = (
            _answer(scope["path"], scope["method"]) if scope["type"] == "http" and self._runtime.safe_mode else None
        )
        await (answer or self._app)(scope, receive, send)


def _answer(path: str, method: str) -> Response | None:
    if any(path == closed or path.startswith(f"{closed}/") for closed in _CLOSED):
        return GoJSONResponse({"error": "unsafe_example_api_key", "message": _MESSAGE}, 403, _HEADER)
    return HTMLResponse(_PAGE, headers=_HEADER) if path == "/" and method == "GET" else None


T = TypeVar("T")


async def while_connected(request: Request, work: Coroutine[object, object, T]) -> T:
    """Return the result of the work; cancel it and raise ``ClientDisconnect`` when the caller leaves.

    The body of the request must have been read before.
    """
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_hung_up(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise ClientDisconnect
    finally:
        working.cancel()
        leaving.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _hung_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
