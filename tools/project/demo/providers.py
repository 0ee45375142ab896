"""The stand-in for all providers: one loopback server that behaves towards each key as the key's name says."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from .answers import good_answer
from .behavior import Behavior, DemoReply, behavior_of, failure, missing, unknown_model
from .interface import Interface, Question, question_of
from .vendors import usage_answer

LOOPBACK = "127.0.0.1"
_MODEL_LISTS = {Interface.MODELS, Interface.NATIVE_MODELS}
_VERSIONED = {Interface.MESSAGES, Interface.COUNT}
_VERSION_HEADER = "anthropic-version"


class Providers:
    """Answers probes and counts them by key; everything below any base path is served.

    It is a proxy as well, and a wall: requests for itself are answered, and it connects to no other place.

    ``slow_seconds`` is how long a slow key lets one wait. ``address`` is known once it is started.
    """

    def __init__(self, *, slow_seconds: float = 2.0) -> None:
        self.address = ""
        self.requests: Counter[str] = Counter()
        self._loop = asyncio.get_running_loop()
        self._finishing = asyncio.Event()
        self._finishing.set()
        self._slow_seconds = slow_seconds

    def application(self) -> web.Application:
        """Return the server's application, with one handler for every address."""
        application = web.Application(client_max_size=2**20)
        application.router.add_route("*", "/{path:.*}", self._answer)
        return application

    def hold_back(self) -> None:
        """Let streamed answers wait before their last piece, until `let_finish`; may be called from any thread."""
        self._loop.call_soon_threadsafe(self._finishing.clear)

    def let_finish(self) -> None:
        """Let streamed answers come to their end; may be called from any thread."""
        self._loop.call_soon_threadsafe(self._finishing.set)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        key = key_of(request)
        self.requests[key] += 1
        behavior = behavior_of(key)
        if behavior is Behavior.CLOSING and request.transport is not None:
            request.transport.abort()
            raise asyncio.CancelledError
        if behavior is Behavior.SILENT:
            await asyncio.Event().wait()
        if behavior is Behavior.SLOW:
            await asyncio.sleep(self._slow_seconds)
        question = question_of(
            request.method, request.path, (await request.read()).decode("utf-8", "replace"), request.query
        )
        reply = reply_to(request, key, behavior, question)
        if reply.pieces:
            return await self._streamed(request, reply)
        return web.Response(
            status=reply.status, text=reply.body, content_type=reply.content_type, headers=dict(reply.header)
        )

    async def _streamed(self, request: web.Request, reply: DemoReply) -> web.StreamResponse:
        """Send an answer piece by piece."""
        response = web.StreamResponse(status=reply.status, headers={"Content-Type": reply.content_type})
        await response.prepare(request)
        for number, piece in enumerate(reply.pieces, 1):
            if number == len(reply.pieces):
                await self._finishing.wait()
            await response.write(piece.encode())
        await response.write_eof()
        return response


def key_of(request: web.Request) -> str:
    """Return the key a request carries, wherever the three kinds of interfaces put it; empty when it has none."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return token.strip()
    return request.headers.get("x-api-key") or request.headers.get("x-goog-api-key") or ""


def reply_to(request: web.Request, key: str, behavior: Behavior, question: Question | None) -> DemoReply:
    """Decide the answer to a request that is answered at all."""
    refused = failure(behavior, key)
    if refused is not None:
        return refused
    used = usage_answer(request.method, request.path, behavior)
    if used is not None:
        return used
    if question is None:
        return missing(request.path)
    return (
        _malformed(request, key, behavior, question)
        or _peculiar(request, behavior, question)
        or good_answer(question, behavior)
    )


def _malformed(request: web.Request, key: str, behavior: Behavior, question: Question) -> DemoReply | None:
    """Refuse a request that lacks a header it needs."""
    if question.interface in _VERSIONED and _VERSION_HEADER not in request.headers:
        return DemoReply(
            400, '{"type":"error","error":{"type":"invalid_request_error","message":"version header missing"}}'
        )
    if behavior is Behavior.NATIVE_HEADER and "x-goog-api-key" not in request.headers:
        return failure(Behavior.UNAUTHORIZED, key)
    return None


def _peculiar(request: web.Request, behavior: Behavior, question: Question) -> DemoReply | None:
    """Answer for the keys that do well at one interface only."""
    asks_for_models = question.interface in _MODEL_LISTS
    if behavior is Behavior.OTHER_MODEL:
        return missing(request.path) if asks_for_models else unknown_model(question.model)
    if behavior is Behavior.MODELS_ABSENT and asks_for_models:
        return missing(request.path)
    if behavior is Behavior.MODELS_REFUSED and asks_for_models:
        return DemoReply(405, '{"detail":"Method Not Allowed"}', {"Allow": "POST"})
    return None


@asynccontextmanager
async def start_providers(port: int = 0, *, slow_seconds: float = 2.0) -> AsyncIterator[Providers]:
    """Serve the stand-in on loopback for as long as the context lasts; port 0 takes a free one.

    Requests that are never answered end with their client, or with the context. Raises OSError: the port is in use.
    """
    providers = Providers(slow_seconds=slow_seconds)
    runner = web.AppRunner(
        providers.application(), handler_cancellation=True, access_log=None, shutdown_timeout=0.1, handle_signals=False
    )
    await runner.setup()
    try:
        site = web.TCPSite(runner, LOOPBACK, port)
        await site.start()
        providers.address = f"http://{LOOPBACK}:{runner.addresses[0][1]}"
        yield providers
    finally:
        await runner.cleanup()
