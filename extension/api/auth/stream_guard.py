"""End of streams whose authentication ends: by sign-out, expiry, a new management key, or `allow-remote` taken away.

Authentication precedes a request, but a stream lasts. It is checked again before each part of the answer, and every
second while nothing is sent.
"""

import asyncio
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from adapter.clock import Clock
from adapter.port import GatewayError
from extension.api.auth.authenticator import Authenticator, Principal
from extension.api.auth.key_fingerprint import RecentKeyFingerprint
from extension.api.problems import Problem

STREAM: Final = b"text/event-stream"
CHECK_SECONDS: Final = 1.0


class StreamGuard:
    """Serves streams for as long as their principal is authenticated."""

    def __init__(self, authenticator: Authenticator, clock: Clock) -> None:
        self._authenticator = authenticator
        self._clock = clock
        self._recent = RecentKeyFingerprint(authenticator.key_fingerprint, clock)

    async def serve(self, inside: ASGIApp, scope: Scope, receive: Receive, send: Send, principal: Principal) -> None:
        """Serve one request (ASGI); end its answer when the authentication ends.

        Raises:
            Problem: the authentication ended before the answer began.
        """
        ended: asyncio.Future[Problem] = asyncio.get_running_loop().create_future()
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            if (loss := await self.loss(principal)) is not None:
                _settle(ended, loss)
                await asyncio.Event().wait()  # canceled below
            begun = True
            await send(message)

        serving = asyncio.ensure_future(inside(scope, receive, sent))
        watching = asyncio.ensure_future(self._watch(principal, ended))
        try:
            first: set[asyncio.Future[Any]] = {serving, ended}
            await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
        finally:
            lost = ended.result() if ended.done() else None
            for task in (serving, watching, ended):
                task.cancel()
            results = await asyncio.gather(serving, watching, return_exceptions=True)
        if lost is not None and begun:
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        elif lost is not None:
            raise lost
        elif isinstance(results[0], Exception):
            raise results[0]

    async def loss(self, principal: Principal) -> Problem | None:
        """Return why a principal could not be authenticated again now. A gateway that is away changes nothing."""
        if self._authenticator.access is not None:
            return await self._authenticator.access.loss(principal)
        try:
            key_fingerprint = await self._recent.now()
            admitted = await self._authenticator.key_fingerprint.admits(principal.peer)
        except GatewayError:
            return None
        return self._authenticator.loss(principal, key_fingerprint, admitted=admitted)

    async def _watch(self, principal: Principal, ended: asyncio.Future[Problem]) -> None:
        while (loss := await self.loss(principal)) is None:
            await self._clock.sleep(CHECK_SECONDS)
        _settle(ended, loss)


def _settle(ended: asyncio.Future[Problem], loss: Problem) -> None:
    if not ended.done():
        ended.set_result(loss)


def asks_for_stream(scope: Scope) -> bool:
    """Return whether a request asks for a stream of events."""
    return any(name == b"accept" and STREAM in value for name, value in scope["headers"])
