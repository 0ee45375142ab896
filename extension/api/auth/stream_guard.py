"""End of streams whose authentication ends: by sign-out, expiry, a new management key, or `allow-remote` taken away.

Authentication precedes a request, but a stream lasts. It is checked again before each part of the answer, and every
second while nothing is sent.
"""

import asyncio
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from adapter.clock import Clock
from adapter.port import GatewayError
from extension.api.auth.authenticator import Authenticator, Principal
from extension.api.auth.key_fingerprint import RecentKeyFingerprint

STREAM: Final = b"text/event-stream"
CHECK_SECONDS: Final = 1.0


class StreamGuard:
    """Serves streams for as long as their principal is authenticated."""

    def __init__(self, authenticator: Authenticator, clock: Clock) -> None:
        self._authenticator = authenticator
        self._clock = clock
        self._recent = RecentKeyFingerprint(authenticator.key_fingerprint, clock)

    async def serve(self, inside: ASGIApp, scope: Scope, receive: Receive, send: Send, principal: Principal) -> None:
        """Serve one request (ASGI); end its answer when the authentication ends."""
        ended, begun = asyncio.Event(), False

        async def sent(message: Message) -> None:
            nonlocal begun
            if not await self.holds(principal):
                ended.set()
                await asyncio.Event().wait()  # canceled below
            begun = True
            await send(message)

        serving = asyncio.ensure_future(inside(scope, receive, sent))
        watching = asyncio.ensure_future(self._watch(principal, ended))
        leaving = asyncio.ensure_future(ended.wait())
        try:
            await asyncio.wait({serving, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (serving, watching, leaving):
                task.cancel()
            results = await asyncio.gather(serving, watching, leaving, return_exceptions=True)
        if ended.is_set() and begun:
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        elif isinstance(results[0], Exception):
            raise results[0]

    async def holds(self, principal: Principal) -> bool:
        """Return whether a principal could be authenticated again now. A gateway that is away changes nothing."""
        try:
            key_fingerprint = await self._recent.now()
            if not await self._authenticator.key_fingerprint.admits(principal.peer):
                return False
        except GatewayError:
            return True
        if key_fingerprint != principal.key_fingerprint:
            return False
        sessions = self._authenticator.sessions
        return not principal.token or sessions.find(principal.token, key_fingerprint) is not None

    async def _watch(self, principal: Principal, ended: asyncio.Event) -> None:
        while await self.holds(principal):
            await self._clock.sleep(CHECK_SECONDS)
        ended.set()


def asks_for_stream(scope: Scope) -> bool:
    """Return whether a request asks for a stream of events."""
    return any(name == b"accept" and STREAM in value for name, value in scope["headers"])
