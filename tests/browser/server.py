"""Serves an ASGI application on a loopback port, in a thread of its own, for as long as a test needs it."""

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn


@contextmanager
def served(build: Callable[[], Any], *, with_lifespan: bool = False) -> Iterator[str]:
    """Yield the address of the application; it is built inside the thread's own event loop.

    The socket listens before the thread starts, so that a first request waits instead of failing.
    """
    listener = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    servers: list[uvicorn.Server] = []

    async def serve() -> None:
        lifespan: Any = "on" if with_lifespan else "off"
        config = uvicorn.Config(build(), log_level="error", lifespan=lifespan, timeout_graceful_shutdown=1, ws="none")
        servers.append(uvicorn.Server(config))
        await servers[0].serve(sockets=[listener])
        await close_connections(servers[0])

    thread = threading.Thread(target=lambda: asyncio.run(serve()), name="server under test")
    thread.start()
    try:
        yield address
    finally:
        for server in servers:
            server.should_exit = True
        thread.join()
        listener.close()


async def close_connections(server: uvicorn.Server) -> None:
    """Cut what is still open, so that no transport outlives its loop.

    Uvicorn asks the connections to end that it knows when it ends. A browser may open one ahead of need in the very
    moment after; that one stays open, and its socket is reported in whatever test runs when it is collected.
    """
    for connection in list(server.server_state.connections):
        if connection.transport is not None:
            connection.transport.abort()
    await asyncio.sleep(0)  # a transport closes its socket in the loop's next round
