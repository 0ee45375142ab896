"""Requests to what is passed on, written by hand: none leaves for another host, and none makes the proxy stumble."""

import asyncio
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest
from aiohttp import web

from adapter.management import ManagementConnection
from tests.adapter.management.served import served
from tests.adapter.management.stand_in import KEY, StandIn


@pytest.fixture
async def front(connection: ManagementConnection) -> AsyncIterator[str]:
    async with served(connection.fallback) as address:
        yield address


async def answered(front: str, head: bytes) -> bytes:
    """Send the head of a request as it is, and answer the first line that comes back."""
    parts = urlsplit(front)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    writer.write(head + b"\r\nHost: front\r\nConnection: close\r\n\r\n")
    await writer.drain()
    line = await reader.readline()
    writer.close()
    return line.rstrip()


@pytest.mark.parametrize("target", [b"*", b"*x", b"*.elsewhere.example/v1/models"])
async def test_a_target_that_is_no_path_is_refused_and_not_glued_to_the_gateways_address(
    front: str, stand_in: StandIn, target: bytes
) -> None:
    sent = len(stand_in.requests)

    assert await answered(front, b"GET " + target + b" HTTP/1.1") == b"HTTP/1.1 400 Bad Request"
    assert len(stand_in.requests) == sent


@pytest.mark.parametrize("value", [b"\xc3\xa9", b"tab\there"])
async def test_a_header_reaches_the_gateway_byte_for_byte_of_text(front: str, stand_in: StandIn, value: bytes) -> None:
    seen: list[bytes] = []

    async def look(request: web.Request) -> None:
        seen.extend(given for name, given in request.raw_headers if name.lower() == b"x-odd")

    stand_in.before = look
    head = b"GET /v0/management/debug HTTP/1.1\r\nX-Management-Key: " + KEY.encode() + b"\r\nX-Odd: " + value

    assert await answered(front, head) == b"HTTP/1.1 200 OK"
    assert seen == [value]
