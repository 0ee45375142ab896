"""Relay of an answer while it arrives."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress

import structlog
from starlette.types import Receive, Scope, Send

from gateway.internal.inference.dispatch import Flow
from gateway.internal.inference.forwarding import answered_headers
from gateway.internal.outbound.failure import OutboundFailed
from gateway.internal.usage.tap import Tap

MAX_EVENT = 1024 * 1024
_EVENT_END = re.compile(rb"\r?\n\r?\n")
_DATA = re.compile(rb"data:(.*)")


class HiddenUsage:
    """Removes usage-only events from a stream of chat events; events beyond ``MAX_EVENT`` stay unchanged."""

    def __init__(self) -> None:
        self._pending = b""

    def feed(self, chunk: bytes) -> bytes:
        """Return the bytes that can be passed on now."""
        self._pending += chunk
        passed: list[bytes] = []
        start = 0
        for end in _EVENT_END.finditer(self._pending):
            event = self._pending[start : end.end()]
            start = end.end()
            if not _only_usage(event):
                passed.append(event)
        self._pending = self._pending[start:]
        if len(self._pending) > MAX_EVENT:
            passed.append(self._pending)
            self._pending = b""
        return b"".join(passed)

    def finish(self) -> bytes:
        """Return the remaining bytes at the end of the stream."""
        rest, self._pending = self._pending, b""
        return b"" if _only_usage(rest) else rest


def _only_usage(event: bytes) -> bool:
    if b'"usage"' not in event or b'"choices"' not in event:
        return False
    data = _DATA.search(event)
    try:
        document = json.loads(data.group(1)) if data else None
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and document.get("choices") == [] and isinstance(document.get("usage"), dict)


COMMENT = b": keep-alive\n\n"
"""Comment that clients of event streams ignore."""

_EVENT_ENDS = (b"\n\n", b"\r\n\r\n", b"\r\r")


async def marking_silence(chunks: AsyncIterator[bytes], seconds: float) -> AsyncGenerator[bytes | None]:
    """Yield the pieces of a stream, and None after each silence of this many seconds.

    The next piece is read only after the previous one was consumed.
    """
    pending: asyncio.Future[bytes] | None = None
    try:
        while True:
            if pending is None:
                pending = asyncio.ensure_future(_next(chunks))
            await asyncio.wait((pending,), timeout=seconds)
            if not pending.done():
                yield None
                continue
            chunk, pending = pending.result(), None
            if not chunk:
                return
            yield chunk
    finally:
        if pending is not None:
            pending.cancel()
            await asyncio.gather(pending, return_exceptions=True)


async def _next(chunks: AsyncIterator[bytes]) -> bytes:
    return await anext(chunks, b"")


def between_events(passed: bytes) -> bool:
    """Return whether the last bytes end an event, so that a comment may follow."""
    return passed.endswith(_EVENT_ENDS)


_log = structlog.get_logger("gateway")


class Relay:
    """ASGI answer that relays each piece as soon as it arrives, and reads the next when the client consumed it.

    When the client leaves, the upstream is stopped at once. When the upstream breaks off, so does the answer: the
    client must not take it for complete.

    Args:
        flow: The started answer.
        trace: Value of the trace header.
        everything: Pass on all of the upstream's headers.
        keepalive: Seconds of silence after which a stream of events gets a comment; 0 for never.
    """

    def __init__(self, flow: Flow, trace: str, *, everything: bool, keepalive: float = 0.0) -> None:
        self._flow = flow
        self._trace = trace
        self._everything = everything
        self._keepalive = keepalive if flow.good.streamed else 0.0
        self._between = False
        request, good = flow.attempt.request, flow.good
        self._tap = Tap(request.action.dialect, streamed=good.streamed)
        self._sieve = HiddenUsage() if request.hides_usage and good.streamed else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer until its end or the client's."""
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
            ledger.client_left(this, good, self._tap.finish())
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
