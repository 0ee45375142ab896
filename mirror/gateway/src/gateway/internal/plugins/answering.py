"""Requests for the paths of plugins, passed on to their processes."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.internal.management.routing import while_connected
from gateway.internal.plugins.host import GUARDED, GUARDED_BELOW, PluginError
from gateway.internal.plugins.keeper import TURN_SECONDS, TURNS, Keeper
from gateway.internal.plugins.plugin_set import PluginSet

if TYPE_CHECKING:
    from gateway.internal.plugins.process import PluginProcess
    from gateway.plugin.v1.plugin_pb2 import HttpRequest, HttpResponse, HttpResponsePart, Route

ANSWER_SECONDS = 30.0
_MAX_OPEN_BODY = 1024 * 1024
_OF_THE_GATEWAY = frozenset({"authorization", "x-management-key"})
_OF_THE_CONNECTION = frozenset({"connection", "content-length", "keep-alive", "transfer-encoding"})
_STREAM = "text/event-stream"
_HINT = "Try again in a moment; the log of the gateway says more."
_LATE_HINT = (
    f"Try again in a moment. A process without a sign of life for {TURN_SECONDS * TURNS:.0f} s is replaced by itself."
)


class PluginPaths:
    """ASGI application behind the gateway's own routes; the key of a guarded path has been checked before it."""

    def __init__(self, plugins: PluginSet, unknown: ASGIApp) -> None:
        self._plugins = plugins
        self._unknown = unknown

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match = self._plugins.find(scope["method"], scope["path"]) if scope["type"] == "http" else None
        if match is None:
            await self._unknown(scope, receive, send)
        elif match.route is None or match.keeper.process is None:
            guarded = scope["path"].startswith(GUARDED_BELOW)
            await _absent(match.keeper, guarded=guarded)(scope, receive, send)
        else:
            ending = self._plugins.ending
            answer = await _passed_on(match.keeper.process, match.route, Request(scope, receive), send, ending)
            if answer is not None:
                await answer(scope, receive, send)


async def _passed_on(
    process: "PluginProcess", route: "Route", incoming: Request, send: Send, ending: asyncio.Event
) -> Response | None:
    """Return the answer of a plugin; None when it was sent as a stream."""
    request = await _request(incoming, route)
    if request is None:
        return _problem(413, "The body is too large.", "too_large")
    try:
        if route.streams and _STREAM in incoming.headers.get("accept", ""):
            with contextlib.suppress(ClientDisconnect):
                await while_connected(incoming, _stream(process.handle_stream(request), send, ending))
            return None
        return _response(await while_connected(incoming, process.handle(request, ANSWER_SECONDS)))
    except TimeoutError:
        return _problem(504, "The plugin did not answer in time.", "plugin_late", _LATE_HINT)
    except PluginError as error:
        return _problem(503, f"The plugin ended before it answered ({error}).", "plugin_down")


async def _request(incoming: Request, route: "Route") -> "HttpRequest | None":
    from gateway.plugin.v1.plugin_pb2 import Header, HttpRequest

    body = b""
    async for part in incoming.stream():
        body += part
        if route.access != GUARDED and len(body) > _MAX_OPEN_BODY:
            return None
    grouped: dict[str, list[str]] = {}
    for name, value in incoming.headers.items():
        if name not in _OF_THE_CONNECTION and not (route.access == GUARDED and name in _OF_THE_GATEWAY):
            grouped.setdefault(name, []).append(value)
    client = incoming.client
    return HttpRequest(
        method=incoming.method,
        path=incoming.scope["path"],
        query=incoming.scope.get("query_string", b"").decode("latin-1"),
        headers=[Header(name=name, values=values) for name, values in grouped.items()],
        body=body,
        access=route.access,
        remote_address=f"{client.host}:{client.port}" if client else "",
        scheme=incoming.url.scheme,
        host=incoming.headers.get("host", ""),
    )


async def _stream(parts: "AsyncGenerator[HttpResponsePart]", send: Send, ending: asyncio.Event) -> None:
    """Send an answer piece by piece until it ends, the plugin breaks off, or the gateway ends."""
    begun = False
    closing = asyncio.ensure_future(ending.wait())
    async with contextlib.aclosing(parts):
        try:
            while (part := await _next_part(parts, closing)) is not None:
                if part.HasField("head"):
                    begun = True
                    await send(
                        {"type": "http.response.start", "status": part.head.status, "headers": _pairs(part.head)}
                    )
                elif begun:
                    await send({"type": "http.response.body", "body": part.data, "more_body": True})
        except PluginError:
            if not begun:
                raise
        finally:
            closing.cancel()
    if not begun:
        raise PluginError("the gateway ends" if ending.is_set() else "it answered nothing")
    await asyncio.shield(send({"type": "http.response.body", "body": b"", "more_body": False}))


async def _next_part(
    parts: "AsyncGenerator[HttpResponsePart]", closing: "asyncio.Future[Any]"
) -> "HttpResponsePart | None":
    """Return the next part; None when there are no more, or the gateway ends."""
    coming = asyncio.ensure_future(anext(parts, None))
    try:
        await asyncio.wait((coming, closing), return_when=asyncio.FIRST_COMPLETED)
        return None if closing.done() else coming.result()
    finally:
        coming.cancel()
        await asyncio.gather(coming, return_exceptions=True)


def _response(answer: "HttpResponse") -> Response:
    response = Response(answer.body, status_code=answer.status)
    length = [pair for pair in response.raw_headers if pair[0] == b"content-length"]
    response.raw_headers = [*length, *_pairs(answer)]
    return response


def _pairs(answer: "HttpResponse") -> list[tuple[bytes, bytes]]:
    return [
        (header.name.lower().encode("latin-1"), value.encode("latin-1", "replace"))
        for header in answer.headers
        if header.name.lower() not in _OF_THE_CONNECTION
        for value in header.values
    ]


def _absent(keeper: Keeper, *, guarded: bool) -> Response:
    # every caller can read an open path: it names the setting, never its value
    program = f", which starts {keeper.program.command[0]}" if guarded else ""
    hint = f"Check plugins.configs.{keeper.program.id}.command{program}; the log of the gateway says more."
    code = "plugin_down" if keeper.problem else "starting"
    return _problem(503, keeper.state, code, hint, keeper.pause_seconds)


def _problem(status: int, text: str, code: str, hint: str = _HINT, seconds: int = 1) -> Response:
    headers = {"Retry-After": str(seconds)} if status == 503 else {}  # noqa: PLR2004 - the status itself
    return JSONResponse({"error": text, "code": code, "hint": hint}, status, headers)
