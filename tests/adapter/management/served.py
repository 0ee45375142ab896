"""An ASGI application behind a real HTTP server on loopback, for as long as a block lasts."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn

from adapter.port import ASGIApp


class _Server(uvicorn.Server):
    """Leaves the signals of the test process alone."""

    def __init__(self, application: ASGIApp) -> None:
        config = uvicorn.Config(application, ws="none", log_config=None, access_log=False, date_header=False)
        super().__init__(config)
        self.up = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.up.set()


@asynccontextmanager
async def served(application: ASGIApp) -> AsyncIterator[str]:
    """Serve, and answer the address."""
    server = _Server(application)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        await server.up.wait()
        host, port = listener.getsockname()[:2]
        try:
            yield f"http://{host}:{port}"
        finally:
            server.should_exit = True
            await serving
