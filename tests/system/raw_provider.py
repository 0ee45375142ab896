"""A provider on a loopback port that answers bytes as they are, each connection once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import SimpleQueue

from tests.servers.stream_server import StreamServer

Respond = Callable[[str], bytes]
"""Function from the head of a request to everything that is sent back."""


def answer(status_line: str, body: str, kind: str = "application/json") -> bytes:
    """Return a whole answer."""
    data = body.encode()
    head = f"HTTP/1.1 {status_line}\r\nContent-Type: {kind}\r\nContent-Length: {len(data)}\r\nConnection: close\r\n\r\n"
    return head.encode() + data


@contextmanager
def raw_provider(respond: Respond) -> Iterator[int]:
    """Serve until the context ends; the value is the port."""
    started: SimpleQueue[tuple[int, asyncio.AbstractEventLoop, asyncio.Event]] = SimpleQueue()

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            length = next(
                (int(line[15:]) for line in head.split("\r\n") if line.lower().startswith("content-length:")), 0
            )
            await reader.readexactly(length)
            writer.write(respond(head))
            await writer.drain()

    async def serve() -> None:
        stop = asyncio.Event()
        server = StreamServer(served)
        started.put((await server.start(), asyncio.get_running_loop(), stop))
        await stop.wait()
        await server.stop()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), name="raw provider")
    thread.start()
    port, loop, stop = started.get(timeout=30)
    try:
        yield port
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(timeout=30)
