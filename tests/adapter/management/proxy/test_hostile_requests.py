"""Requests to what is passed on, written by hand: none leaves for another host, and none makes the proxy stumble."""

import asyncio
from collections.abc import AsyncIterator
from urllib.parse import quote, quote_plus, urlsplit

import pytest
from aiohttp import web

from adapter.clock import FakeClock
from adapter.management import ManagementConnection
from adapter.management.admission import HeldKey
from adapter.management.proxy.headers import outgoing, outgoing_query
from adapter.privacy.secret import Secret
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
        seen.extend(value for name, value in request.raw_headers if name.lower() == b"x-odd")

    stand_in.before = look
    head = b"GET /v0/management/debug HTTP/1.1\r\nX-Management-Key: " + KEY.encode() + b"\r\nX-Odd: " + value

    assert await answered(front, head) == b"HTTP/1.1 200 OK"
    assert seen == [value]


@pytest.mark.parametrize("method", ["DELETE", "PUT", "PATCH", "HEAD", "TRACE"])
async def test_requests_to_the_call_back_without_a_key_never_count_against_us(
    front: str, stand_in: StandIn, method: str
) -> None:
    sent = len(stand_in.requests)
    for _ in range(6):
        line = await answered(front, f"{method} /v0/management/oauth-callback HTTP/1.1".encode())
        assert line == b"HTTP/1.1 401 Unauthorized"
    assert (len(stand_in.requests), stand_in.failures) == (sent, 0)


@pytest.mark.parametrize(
    "name", [b"x-management-key", b"x_management_key", b"authorization", b"x-api-key", b"x-goog-api-key"]
)
@pytest.mark.parametrize("form", [b"Bearer %s", b"bearer %s", b"%s", b"Bearer  %s", b"Bearer\t%s", b"BEARER \t %s\t"])
def test_the_management_key_is_not_passed_on_by_an_open_path(name: bytes, form: bytes) -> None:
    sent = [(name, form % KEY.encode()), (b"x-kept", b"yes")]
    assert outgoing(sent, authorization=None, held_key=HeldKey(Secret(KEY), FakeClock())) == [("x-kept", "yes")]


@pytest.mark.parametrize(
    ("sent", "passed"),
    [
        (b"key=%s", b""),
        (b"a=%%2F&key=%s&b=", b"a=%%2F&b="),
        (b"auth_token=%s&key=a-clients", b"key=a-clients"),
        (b"key=a-clients&flag", b"key=a-clients&flag"),
    ],
)
def test_the_management_key_in_a_query_is_not_passed_on_by_an_open_path(sent: bytes, passed: bytes) -> None:
    held_key = HeldKey(Secret(KEY), FakeClock())
    for encoded in (quote(KEY), quote_plus(KEY), "".join(f"%{ord(mark):02x}" for mark in KEY)):
        filled = sent % encoded.encode() if b"%s" in sent else sent
        assert outgoing_query(filled, held_key) == passed.replace(b"%%", b"%")


@pytest.mark.parametrize(
    "head", ["Authorization: Bearer  {}", "Authorization: Bearer\t{}", "X_Management_Key: {}", "A: b"]
)
async def test_a_key_presented_otherwise_than_the_gateway_takes_it_is_refused_as_there(
    front: str, stand_in: StandIn, head: str
) -> None:
    sent = len(stand_in.requests)
    line = await answered(front, f"GET /v0/management/debug?key={quote(KEY)} HTTP/1.1\r\n{head.format(KEY)}".encode())
    assert line == b"HTTP/1.1 401 Unauthorized"
    assert (len(stand_in.requests), stand_in.failures) == (sent, 0)


async def test_a_page_of_another_site_cannot_lock_the_operator_out(front: str) -> None:
    for _ in range(6):
        await answered(front, b"GET /v0/management/x.png HTTP/1.1\r\nSec-Fetch-Site: cross-site\r\nAuthorization: no")
        await answered(front, b"GET /v0/management/x.png HTTP/1.1")
    right = await answered(front, f"GET /v0/management/debug HTTP/1.1\r\nX-Management-Key: {KEY}".encode())
    assert right == b"HTTP/1.1 200 OK"
