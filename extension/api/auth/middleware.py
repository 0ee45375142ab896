"""Authentication middleware: no body is read and no path is looked up before the caller is identified."""

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import structlog
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from extension.api.auth.authenticator import PAGE_ACTOR, Authenticator, Principal
from extension.api.auth.read_limit import ReadLimit
from extension.api.auth.stream_guard import StreamGuard, asks_for_stream
from extension.api.problems import UNEXPECTED_STATUS, problem_of

BODY_LIMIT = 1_000_000
"""Most bytes of a request's body."""
BODY_SECONDS = 10.0
"""Longest time in which the body of a request without a key arrives."""
_TOO_LARGE = 413
_TOO_SLOW = 408
_CLIENT_CLOSED_REQUEST = 499

_log = structlog.get_logger("poolkeeper.api")


class AuthenticationMiddleware:
    """Pass a request on to `inside` once its caller is identified; answer it otherwise.

    The paths in `unguarded` (sign-in) are let through as they are. Unknown paths are guarded like known ones, so
    that answers without a key reveal no path. An unforeseen error inside becomes the one 500 answer. `reads` limits
    the reads, and `state` is handed on with every request.
    """

    def __init__(
        self,
        inside: ASGIApp,
        authenticator: Authenticator,
        unguarded: frozenset[str],
        streams: StreamGuard,
        *,
        reads: ReadLimit | None = None,
        state: Mapping[str, Any] = MappingProxyType({}),
        body_seconds: float = BODY_SECONDS,
    ) -> None:
        self._inside = inside
        self._streams = streams
        self._authenticator = authenticator
        self._unguarded = unguarded
        self._reads = reads
        self._state = state
        self._body_seconds = body_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request (ASGI)."""
        progress = _Progress(send)
        try:
            seconds = self._body_seconds if scope["path"] in self._unguarded else None
            await self._serve(scope, _Bounded(receive, seconds), progress)
        except ClientDisconnect:
            _log.info("client disconnected before its request was complete", path=scope["path"])
            if not progress.begun:
                await Response(status_code=_CLIENT_CLOSED_REQUEST)(scope, receive, send)
        except Exception as error:  # noqa: BLE001 - a request ends here, whatever it met
            problem = problem_of(error)
            if problem.status == UNEXPECTED_STATUS:
                _log.exception("request failed", method=scope["method"], path=scope["path"])
            if not progress.begun:
                await problem.answer()(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._reads is not None:
            self._reads.require_room(scope)
        principal = None
        if scope["path"] not in self._unguarded:
            principal = await self._authenticator.identify(HTTPConnection(scope), scope["method"])
        state = {**scope.get("state", {}), **self._state}
        scope = {**scope, "state": state if principal is None else {**state, "principal": principal}}
        if principal is not None and asks_for_stream(scope):
            await self._streams.serve(self._admitted, scope, receive, send, principal)
        else:
            await self._admitted(scope, receive, send)

    async def _admitted(self, scope: Scope, receive: Receive, send: Send) -> None:
        principal: Principal | None = scope["state"].get("principal")
        if principal is None or principal.operator_access is None or (access := self._authenticator.access) is None:
            await self._limited(scope, receive, send)
        else:
            await access.serve(self._limited, scope, receive, send, principal)

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._reads is None:
            await self._inside(scope, receive, send)
            return
        principal = scope["state"].get("principal")
        actor = "" if principal is None else PAGE_ACTOR if principal.token else principal.actor
        async with self._reads.place(scope, actor):
            await self._inside(scope, receive, send)


class _Bounded:
    """Reads a request's body up to the limit, also where its header names a smaller length, and in time.

    A body that trickles in never stalls: without an end it keeps its place among the connections for days.
    """

    def __init__(self, receive: Receive, seconds: float | None) -> None:
        self._receive = receive
        self._remaining = BODY_LIMIT
        self._until = None if seconds is None else asyncio.get_running_loop().time() + seconds

    async def __call__(self) -> Message:
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            raise HTTPException(_TOO_SLOW) from None
        if not message.get("more_body"):
            self._until = None  # what is waited for from now on is the client's leaving
        self._remaining -= len(message.get("body", b""))
        if self._remaining < 0:
            raise HTTPException(_TOO_LARGE)
        return message


class _Progress:
    """Remembers whether an answer has begun: then no other can be given any more."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begun = False

    async def __call__(self, message: Message) -> None:
        self.begun = True
        await self._send(message)
