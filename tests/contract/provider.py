"""The upstream of the suite: one set of answers, served over HTTP or called directly by the fake."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from aiohttp import web

LARGE = 3 * 1024 * 1024


@dataclass(frozen=True)
class Received:
    """A request as it arrived, header names in lower case."""

    method: str
    path: str
    header: Mapping[str, str]
    body: str


class Ending(StrEnum):
    """The end of an answer."""

    WHOLE = "whole"
    BROKEN = "broken"
    """The connection closes in the middle of the answer."""
    WAITING = "waiting"
    """The rest of the answer never comes."""


@dataclass(frozen=True)
class Sent:
    """An answer to send; None as status closes the connection instead."""

    status: int | None
    body: bytes = b"{}"
    header: Mapping[str, str] | None = None
    ending: Ending = Ending.WHOLE


class Provider:
    """Answers by path: models, chat completions, /status/NNN, /echo, /large, /bytes, /hang, /close."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.hanging = asyncio.Event()
        self.abandoned = asyncio.Event()

    async def answer(self, request: Received) -> Sent:
        self.received.append(request)
        status = re.fullmatch(r".*/status/(\d+)", request.path)
        if status:
            return Sent(int(status[1]), b'{"error":"as asked"}', {"Retry-After": "7"})
        last = request.path.rpartition("/")[2]
        if last == "hang":
            return await self._hang()
        seen = request.header.get("authorization", "")
        spent = b'{"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":30,"total_tokens":42}}'
        answers = {
            "completions": Sent(200, spent, {"Content-Type": "application/json"}),
            "echo": Sent(401, f"Incorrect API key provided: {seen}.".encode(), {"X-Echo": seen}),
            "large": Sent(200, b"x" * LARGE),
            "bytes": Sent(200, b"\xff\xfe ok"),
            "close": Sent(None),
        }
        return answers.get(last, Sent(200, b'{"object":"list","data":[]}'))

    async def _hang(self) -> Sent:
        self.hanging.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.abandoned.set()
        raise AssertionError("nobody sets that event")


class ProviderServer:
    """A `Provider` behind HTTP on loopback."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        application = web.Application()
        application.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(application, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)

    async def start(self) -> str:
        """Listen, and return the base address."""
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        return f"http://{host}:{port}"

    async def stop(self) -> None:
        await self._runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        header = {name.lower(): value for name, value in request.headers.items()}
        received = Received(request.method, request.path, header, await request.text())
        sent = await self._provider.answer(received)
        if sent.status is None:
            if request.transport is not None:
                request.transport.abort()
            return web.Response()
        if sent.ending is not Ending.WHOLE:
            return await _half(request, sent)
        return web.Response(status=sent.status, body=sent.body, headers=sent.header)


async def _half(request: web.Request, sent: Sent) -> web.StreamResponse:
    """Send an answer that has no end."""
    response = web.StreamResponse(status=sent.status or 200, headers=sent.header)
    await response.prepare(request)
    await response.write(sent.body)
    if sent.ending is Ending.WAITING:
        await asyncio.Event().wait()
    if request.transport is not None:
        request.transport.close()
    return response


def path_of(url: str) -> str:
    """The path of an address."""
    return urlsplit(url).path
