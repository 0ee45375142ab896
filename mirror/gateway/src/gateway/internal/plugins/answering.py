"""Requests for the paths of plugins: passed on to the process, and answered by it or by one line of JSON."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.internal.management.disconnect import while_connected
from gateway.internal.plugins import handshake
from gateway.internal.plugins.failure import PluginFailed
from gateway.internal.plugins.liveness import PATIENCE
from gateway.internal.plugins.plugin_set import GUARDED_BELOW, Match, PluginSet

if TYPE_CHECKING:
    from gateway.internal.plugins.process import PluginProcess
    from gateway.plugin.v1.plugin_pb2 import HttpRequest, HttpResponse, HttpResponsePart, Route

ANSWER_SECONDS = 30.0
_LONGEST_OPEN_BODY = 1024 * 1024
_GUARDED = 1
_OF_THE_GATEWAY = frozenset({"authorization", "x-management-key"})
_OF_THE_CONNECTION = frozenset({"connection", "content-length", "keep-alive", "transfer-encoding"})
_STREAM = "text/event-stream"
_HINT = "Try again in a moment; the log of the gateway says more."
_LATE_HINT = (
    f"Try again in a moment. A process that gives no sign of life for {PATIENCE.seconds:.0f} s is replaced by itself."
)


class PluginPaths:
    """Answers what no route of the gateway answers (ASGI). A key has been checked before, where one is needed."""

    def __init__(self, plugins: PluginSet, unknown: ASGIApp) -> None:
        self._plugins = plugins
        self._unknown = unknown

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the plugin it is for."""
        match = self._plugins.find(scope["method"], scope["path"]) if scope["type"] == "http" else None
        if match is None:
            await self._unknown(scope, receive, send)
        elif match.route is None or match.keeper.process is None:
            guarded = scope["path"].startswith(GUARDED_BELOW)
            await _absent(match, guarded=guarded)(scope, receive, send)
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
            with contextlib.suppress(ClientDisconnect):  # there is no one left to answer
                await while_connected(incoming, _stream(process.handle_stream(request), send, ending))
            return None
        return _response(await while_connected(incoming, process.handle(request, ANSWER_SECONDS)))
    except TimeoutError:
        return _problem(504, "The plugin did not answer in time.", "plugin_late", _LATE_HINT)
    except PluginFailed as error:
        return _problem(503, f"The plugin ended before it answered ({error}).", "plugin_down")


async def _request(incoming: Request, route: "Route") -> "HttpRequest | None":
    from gateway.plugin.v1.plugin_pb2 import Header, HttpRequest

    body = b""
    async for part in incoming.stream():
        body += part
        if route.access != _GUARDED and len(body) > _LONGEST_OPEN_BODY:
            return None
    grouped: dict[str, list[str]] = {}
    for name, value in incoming.headers.items():
        if name not in _OF_THE_CONNECTION and not (route.access == _GUARDED and name in _OF_THE_GATEWAY):
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
    """Send an answer piece by piece; a plugin that breaks off ends it, and so does the end of the gateway."""
    begun = False
    async with contextlib.aclosing(parts), contextlib.aclosing(_until(ending, parts)) as coming:
        try:
            async for part in coming:
                if part.HasField("head"):
                    begun = True
                    await send(
                        {"type": "http.response.start", "status": part.head.status, "headers": _pairs(part.head)}
                    )
                elif begun:
                    await send({"type": "http.response.body", "body": part.data, "more_body": True})
        except PluginFailed:
            if not begun:
                raise
    if not begun:
        raise PluginFailed("the gateway ends" if ending.is_set() else "it answered nothing")
    await asyncio.shield(send({"type": "http.response.body", "body": b"", "more_body": False}))


async def _until(
    ending: asyncio.Event, parts: "AsyncGenerator[HttpResponsePart]"
) -> "AsyncGenerator[HttpResponsePart]":
    """Yield parts until there are no more, or the gateway is to end."""
    over = asyncio.ensure_future(ending.wait())
    coming = asyncio.ensure_future(anext(parts, None))
    try:
        while True:
            await asyncio.wait((coming, over), return_when=asyncio.FIRST_COMPLETED)
            part = coming.result() if coming.done() and not over.done() else None
            if part is None:
                return
            yield part
            coming = asyncio.ensure_future(anext(parts, None))
    finally:
        for task in (coming, over):
            task.cancel()
        await asyncio.gather(coming, over, return_exceptions=True)


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


def _absent(match: Match, *, guarded: bool) -> Response:
    wanted, standing = match.keeper.wanted, match.keeper.standing
    text = standing.sentences(wanted.id, handshake.HANDSHAKE_SECONDS)
    # anybody reads an open path: it names the setting, never its value
    value = f", which starts {wanted.command[0]}" if guarded else ""
    hint = f"Check plugins.configs.{wanted.id}.command{value}." if standing.silent or standing.unstartable else _HINT
    return _problem(503, text, "plugin_down" if standing.problem else "starting", hint, standing.seconds_left)


def _problem(status: int, text: str, code: str, hint: str = _HINT, seconds: int = 1) -> Response:
    headers = {"Retry-After": str(seconds)} if status == 503 else {}  # noqa: PLR2004 - the status itself
    return JSONResponse({"error": text, "code": code, "hint": hint}, status, headers)
