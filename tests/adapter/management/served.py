"""An ASGI application behind a real HTTP server on loopback, for as long as a block lasts."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn

from adapter.port import ASGIApp
from tests.servers.loopback_server import LoopbackServer


@asynccontextmanager
async def served(application: ASGIApp) -> AsyncIterator[str]:
    """Serve, and answer the address."""
    server = LoopbackServer(
        uvicorn.Config(application, ws="none", log_config=None, access_log=False, date_header=False)
    )
    with socket.create_server(("127.0.0.1", 0)) as listener:
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        await server.ready.wait()
        host, port = listener.getsockname()[:2]
        try:
            yield f"http://{host}:{port}"
        finally:
            server.leaving.set()
            await serving
