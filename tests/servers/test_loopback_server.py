"""The connection of a client ends with the server, whatever it does: none is left to the garbage collector."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress

import pytest
from starlette.types import Receive, Scope, Send

from tests.adapter.management.served import served as served_in_this_loop
from tests.browser.server import served as served_in_a_thread

LARGE = b"x" * 50_000_000
PATIENCE_SECONDS = 30


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with more than the client reads, or with an answer that has no end."""
    if scope["type"] != "http":
        return
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": LARGE, "more_body": scope["path"] == "/endless"})
    if scope["path"] == "/endless":
        await asyncio.Event().wait()


def rest(client: socket.socket) -> None:
    """Read until the server ends the connection."""
    client.settimeout(PATIENCE_SECONDS)
    with suppress(ConnectionError):
        while client.recv(1 << 20):
            pass


def port(address: str) -> int:
    return int(address.rpartition(":")[2])


@pytest.mark.parametrize("request_line", ["", "GET /large HT", "GET /large HTTP/1.1\r\n", "GET /endless HTTP/1.1\r\n"])
def test_a_client_that_reads_too_little_is_disconnected_at_the_end(request_line: str) -> None:
    with (
        served_in_a_thread(lambda: application) as address,
        socket.create_connection(("127.0.0.1", port(address))) as client,
    ):
        client.sendall(request_line.encode())
        if request_line.endswith("\n"):
            client.sendall(b"Host: service\r\n\r\n")
            assert client.recv(1)
        ended = client.dup()
    with ended:
        rest(ended)


@pytest.mark.parametrize("turns", range(6))
async def test_a_client_that_comes_while_the_server_ends_is_disconnected(turns: int) -> None:
    client = socket.socket()
    client.setblocking(False)
    async with served_in_this_loop(application) as address:
        with suppress(BlockingIOError):
            client.connect(("127.0.0.1", port(address)))
        for _ in range(turns):
            await asyncio.sleep(0)
    with client:
        await asyncio.to_thread(rest, client)
