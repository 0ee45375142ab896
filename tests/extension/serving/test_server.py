"""Limits of our own HTTP server, over real connections."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from extension.serving.server import Server, authority_of, connections_within, listen, outbound_within

GET = b"GET / HTTP/1.1\r\nHost: h\r\n\r\n"
HEAD_SECONDS = 0.3


async def greeting(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer at once; at `/body` after the whole body."""
    if scope["type"] == "lifespan":
        for phase in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{phase}.complete"})
        return
    while scope["path"] == "/body" and (message := await receive()).get("more_body"):
        assert message["type"] == "http.request"
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"hi"})


@asynccontextmanager
async def connected(
    *, most: int | None = None, application: ASGIApp = greeting
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    ready = asyncio.Event()
    server = Server(application, ready.set, head_seconds=HEAD_SECONDS, stall_seconds=HEAD_SECONDS)
    server.config.limit_concurrency = server.config.limit_concurrency if most is None else most
    with listen("127.0.0.1:0") as listener:
        serving = asyncio.create_task(server.serve([listener]))
        await ready.wait()
        host, _, port = authority_of(listener).rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        try:
            yield reader, writer
        finally:
            writer.close()
            server.should_exit = True
            await serving


async def statuses(reader: asyncio.StreamReader) -> list[int]:
    """Read until the server ends the connection, or resets it because of bytes on their way."""
    answer = b""
    with contextlib.suppress(ConnectionResetError):
        async with asyncio.timeout(10):
            while piece := await reader.read(65_536):
                answer += piece
    return [int(part[:3]) for part in answer.split(b"HTTP/1.1 ")[1:]]


@pytest.mark.parametrize("sent", [b"", b"G", b"GET / HTTP/1.1\r\nX: "], ids=["nothing", "a byte", "half a head"])
async def test_a_head_that_is_not_complete_in_time_ends_the_connection(sent: bytes) -> None:
    async with connected() as (reader, writer):
        writer.write(sent)
        assert await statuses(reader) == []


async def test_single_bytes_do_not_prolong_the_time_of_a_head() -> None:
    async with connected() as (reader, writer):
        writer.write(GET + b"GET / HTTP/1.1\r\nX: ")
        reading = asyncio.create_task(statuses(reader))
        while not reading.done():
            writer.write(b"a")
            await asyncio.sleep(HEAD_SECONDS / 10)
        assert await reading == [200]


async def test_a_kept_connection_waits_longer_for_its_next_request() -> None:
    async with connected() as (reader, writer):
        for _ in range(2):
            writer.write(GET)
            assert (await reader.readuntil(b"hi")).startswith(b"HTTP/1.1 200")
            await asyncio.sleep(2 * HEAD_SECONDS)


async def test_a_body_after_its_answer_is_bounded_in_time() -> None:
    async with connected() as (reader, writer):
        writer.write(b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n")
        assert (await reader.readuntil(b"hi")).startswith(b"HTTP/1.1 200")
        writer.write(b"a")
        assert await statuses(reader) == []


async def test_a_body_that_stops_coming_ends_the_connection() -> None:
    async with connected() as (reader, writer):
        writer.write(b"POST /body HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nab")
        assert (await reader.readuntil(b"hi")).startswith(b"HTTP/1.1 200")
        writer.write(b"POST /body HTTP/1.1\r\nHost: h\r\nContent-Length: 20\r\n\r\nab")
        assert await statuses(reader) == []


async def test_an_answer_that_nobody_reads_ends_the_connection() -> None:
    ended = asyncio.Event()

    async def endless(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await greeting(scope, receive, send)
            return
        await receive()
        gone = asyncio.ensure_future(receive())  # the next message is that of the end
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while not gone.done():
            await send({"type": "http.response.body", "body": b"x" * 100_000, "more_body": True})
        ended.set()

    async with connected(application=endless) as (_, writer):
        writer.transport.pause_reading()  # type: ignore[attr-defined]  # of a stream it can
        writer.write(GET)
        async with asyncio.timeout(30):
            await ended.wait()


@pytest.mark.parametrize("head", [b"GET / HTTP/1.1\r\nX: " + b"a" * 70_000, b"\x00\x01\x02\r\n\r\n"])
async def test_a_head_that_is_too_large_or_no_head_is_refused(head: bytes) -> None:
    async with connected() as (reader, writer):
        writer.write(head)
        assert await statuses(reader) in ([400], [])


async def test_requests_beyond_the_connections_are_503() -> None:
    async with connected(most=1) as (reader, writer):
        writer.write(GET)
        assert (await reader.readuntil(b"\r\n")).startswith(b"HTTP/1.1 503")


@pytest.mark.parametrize(
    ("descriptors", "connections", "outbound"), [(256, 72, 48), (1_024, 360, 100), (65_536, 8_192, 100), (64, 8, 1)]
)
def test_connections_leave_descriptors_for_the_gateway_and_files(
    descriptors: int, connections: int, outbound: int
) -> None:
    assert (connections_within(descriptors), outbound_within(descriptors)) == (connections, outbound)
