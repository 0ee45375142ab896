"""Serves an ASGI application on a loopback port, in a thread of its own, for as long as a test needs it."""

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

import uvicorn

from tests.servers.loopback_server import LoopbackServer

START_SECONDS = 30


@contextmanager
def served(build: Callable[[], Any], *, with_lifespan: bool = False) -> Iterator[str]:
    """Yield the address of the application; it is built inside the thread's own event loop.

    The socket listens before the thread starts, so that a first request waits instead of failing.
    """
    listener = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    started: SimpleQueue[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = SimpleQueue()

    async def serve() -> None:
        leaving = asyncio.Event()
        lifespan: Any = "on" if with_lifespan else "off"
        config = uvicorn.Config(build(), log_level="error", lifespan=lifespan, timeout_graceful_shutdown=1, ws="none")
        started.put((asyncio.get_running_loop(), leaving))
        await LoopbackServer(config, leaving).serve(sockets=[listener])

    thread = threading.Thread(target=lambda: asyncio.run(serve()), name="server under test")
    thread.start()
    loop, leaving = started.get(timeout=START_SECONDS)
    try:
        yield address
    finally:
        loop.call_soon_threadsafe(leaving.set)
        thread.join()
        listener.close()
