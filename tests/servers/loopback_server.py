"""An HTTP server within a test's process that ends every connection before it ends itself.

Theory of operation: uvicorn leaves a connection open whose client has not read its answer when the time for a graceful
end is over, and asyncio one that was accepted but not served yet when its server was closed. The garbage collection of
a later test, which has nothing to do with them, finds their transports and sockets and fails that test.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from typing import Final

import uvicorn

TURNS_TO_ACCEPT: Final = 3
"""Turns of the loop between a connection's acceptance and its protocol, with one to spare."""


class LoopbackServer(uvicorn.Server):
    """Runs until an event is set; leaves signals alone and does without uvicorn's waits of a tenth of a second."""

    def __init__(self, config: uvicorn.Config, leaving: asyncio.Event | None = None) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()
        self.leaving = leaving or asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        for listener in sockets or ():
            if listener.family != socket.AF_UNIX:
                # As uvloop does, which serves outside of tests: asyncio leaves it out for a listener made by hand, and
                # each answer then waits 40 ms for the acknowledgment of its head.
                listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        await super().startup(sockets)
        self.ready.set()

    async def main_loop(self) -> None:
        await self.on_tick(0)
        await self.leaving.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            await stop_accepting(server)
        for listener in sockets or ():
            listener.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        await self._answered()
        await self.lifespan.shutdown()
        await self._disconnected()

    async def _answered(self) -> None:
        """Give requests the configured time to end."""
        if tasks := set(self.server_state.tasks):
            _, late = await asyncio.wait(tasks, timeout=self.config.timeout_graceful_shutdown)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _disconnected(self) -> None:
        """Abort what is still open; a connection leaves the set when its transport is closed."""
        while self.server_state.connections:
            for connection in list(self.server_state.connections):
                if connection.transport is not None:
                    connection.transport.abort()
            await asyncio.sleep(0)


async def stop_accepting(server: asyncio.Server) -> None:
    """Close a listener after the connections that it has accepted have reached their protocols.

    `Server.close` alone makes the transport of such a connection fail in its constructor, which leaves the socket open.
    """
    loop = asyncio.get_running_loop()
    for listener in server.sockets:
        loop.remove_reader(listener.fileno())
    for _ in range(TURNS_TO_ACCEPT):
        await asyncio.sleep(0)
    server.close()
