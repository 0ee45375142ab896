"""Signs of life in a stream whose upstream thinks for long (`streaming.keepalive-seconds`)."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator

COMMENT = b": keep-alive\n\n"
"""What a client of an event stream reads and forgets."""

_ENDS = (b"\n\n", b"\r\n\r\n", b"\r\r")


async def marking_silence(chunks: AsyncIterator[bytes], seconds: float) -> AsyncGenerator[bytes | None]:
    """Yield the pieces of a stream, and None each time nothing came for so many seconds.

    The next piece is not read before this one was taken.
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
    """Whether what was passed on last ends an event, so that a comment may follow it."""
    return passed.endswith(_ENDS)
