"""The connection of a client ends with the server, whatever it does: none is left to the garbage collector."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress

import pytest

from tests.servers.stream_server import Serve, StreamServer
from tests.servers.test_loopback_server import LARGE, rest


async def _answer_too_much(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(LARGE)


async def _answer_after_a_request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(await reader.readexactly(1))


@pytest.mark.parametrize("serve", [_answer_too_much, _answer_after_a_request])
@pytest.mark.parametrize("turns", [0, 1, 2, 3, 20])
async def test_a_client_is_disconnected_with_the_end_of_the_server(serve: Serve, turns: int) -> None:
    server = StreamServer(serve)
    address = ("127.0.0.1", await server.start())
    client = socket.socket()
    client.setblocking(False)
    with suppress(BlockingIOError):
        client.connect(address)
    for _ in range(turns):
        await asyncio.sleep(0)
    await server.stop()
    with client:
        await asyncio.to_thread(rest, client)
