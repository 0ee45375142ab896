"""Passing an answer on while it arrives."""

import asyncio
from contextlib import aclosing, suppress

import structlog
from starlette.types import Receive, Scope, Send

from gateway.internal.inference.dispatch import Flow
from gateway.internal.inference.forwarding import answered_headers
from gateway.internal.inference.hidden_usage import HiddenUsage
from gateway.internal.inference.keepalive import COMMENT, between_events, marking_silence
from gateway.internal.outbound.failure import OutboundFailed
from gateway.internal.usage.tap import Tap

_log = structlog.get_logger("gateway")


class Relay:
    """An ASGI answer that hands every piece on as soon as it is there, and takes the next when the client took it.

    When the client leaves, the upstream is told to stop at once. When the upstream breaks off, so does the answer:
    the client must not take a part for the whole.

    Args:
        flow: The answer.
        trace: Value of the trace header.
        everything: Whether the client gets all of the upstream's headers.
        keepalive: After how many seconds of silence a stream of events gets a comment; 0 for never.
    """

    def __init__(self, flow: Flow, trace: str, *, everything: bool, keepalive: float = 0.0) -> None:
        self._flow = flow
        self._trace = trace
        self._everything = everything
        self._keepalive = keepalive if flow.good.streamed else 0.0
        self._between = False
        asked, good = flow.attempt.asked, flow.good
        self._tap = Tap(asked.action.dialect, streamed=good.streamed)
        self._sieve = HiddenUsage() if asked.hides_usage and good.streamed else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer, or as much of it as there is somebody to take it."""
        del scope
        relaying = asyncio.ensure_future(self._relay(send))
        leaving = asyncio.ensure_future(_hung_up(receive))
        try:
            await asyncio.wait((relaying, leaving), return_when=asyncio.FIRST_COMPLETED)
            if relaying.done():
                relaying.result()
        finally:
            for task in (relaying, leaving):
                task.cancel()
            await asyncio.gather(relaying, leaving, return_exceptions=True)

    async def _relay(self, send: Send) -> None:
        this, good, ledger = self._flow.attempt, self._flow.good, self._flow.ledger
        try:
            await send({"type": "http.response.start", "status": good.stream.status, "headers": self._headers()})
            await self._pass(good.first, send)
            await self._pass_rest(send)
        except OutboundFailed as failed:
            ledger.broke_off(this, good, self._tap.finish(), failed.detail)
            _log.warning("an upstream broke off in the middle of an answer", problem=failed.detail)
            return
        except BaseException:
            ledger.left(this, good, self._tap.finish())
            raise
        else:
            ledger.ended(this, good, self._tap.finish())
        finally:
            with suppress(OutboundFailed):
                await good.stream.close()
        await send({"type": "http.response.body", "body": self._sieve.finish() if self._sieve else b""})

    async def _pass_rest(self, send: Send) -> None:
        if not self._keepalive:
            async for chunk in self._flow.good.rest:
                await self._pass(chunk, send)
            return
        async with aclosing(marking_silence(self._flow.good.rest, self._keepalive)) as pieces:
            async for piece in pieces:
                if piece is not None:
                    await self._pass(piece, send)
                elif self._between:
                    await send({"type": "http.response.body", "body": COMMENT, "more_body": True})

    async def _pass(self, chunk: bytes, send: Send) -> None:
        self._tap.feed(chunk)
        passed = self._sieve.feed(chunk) if self._sieve else chunk
        if passed:
            self._between = between_events(passed)
            await send({"type": "http.response.body", "body": passed, "more_body": True})

    def _headers(self) -> list[tuple[bytes, bytes]]:
        stream = self._flow.good.stream
        pairs = answered_headers(stream.header, everything=self._everything)
        if "Content-Length" in stream.header and self._sieve is None and not self._keepalive:
            pairs.append(("Content-Length", stream.header["Content-Length"][0]))
        if self._flow.good.streamed:
            pairs = [pair for pair in pairs if pair[0] != "Cache-Control"] + [("Cache-Control", "no-cache")]
        pairs.append(("X-CPA-TRACE-ID", self._trace))
        return [(name.lower().encode(), value.encode("latin-1", "replace")) for name, value in pairs]


async def _hung_up(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
