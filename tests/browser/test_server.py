"""The server of the browser tests leaves nothing behind."""

import asyncio
import contextlib
import socket
from concurrent.futures import ThreadPoolExecutor

import uvicorn
from starlette.types import Receive, Scope, Send

from tests.browser.server import close_connections


def test_a_connection_that_came_while_the_server_ended_is_closed_with_it() -> None:
    async def late_connection(listener: socket.socket) -> bytes:
        arrived = asyncio.Event()

        async def application(_scope: Scope, receive: Receive, _send: Send) -> None:
            arrived.set()
            while (await receive())["type"] != "http.disconnect":
                """The body of a request that has none."""

        server = uvicorn.Server(uvicorn.Config(application, log_level="error", lifespan="off", ws="none"))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        await arrived.wait()

        await close_connections(server)

        try:
            return await reader.read()
        finally:
            writer.close()
            server.should_exit = True
            await serving

    # Playwright's own loop runs in the thread of the tests
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as listener, ThreadPoolExecutor(1) as threads:
        assert threads.submit(lambda: asyncio.run(late_connection(listener))).result() == b""
