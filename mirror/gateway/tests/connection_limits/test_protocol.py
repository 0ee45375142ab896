import asyncio

import pytest
from starlette.types import Receive, Scope, Send

from gateway.connection_limits import Limits
from tests.connection_limits.wires import Server

LIMITS = Limits(connections=4, idle=4, head_bytes=1000, headers=10, unread_bytes=500, pipelined=3)
GET = b"GET / HTTP/1.1\r\nHost: h\r\n\r\n"
CHUNKED = b"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"


def posted(length: int) -> bytes:
    return b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n" % length


async def reading(_: Scope, receive: Receive, send: Send) -> None:
    """Answer after the whole body has come."""
    while (message := await receive()).get("more_body"):
        pass
    assert message["type"] == "http.request"
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body"})


class Waiting:
    """Answers when it is let go."""

    def __init__(self) -> None:
        self.go = asyncio.Event()

    async def __call__(self, _: Scope, __: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await self.go.wait()
        await send({"type": "http.response.body", "body": b"ok"})


@pytest.mark.parametrize("size", [1, 7, 100, 100_000])
async def test_a_request_within_the_limits_is_served_in_pieces_of_any_size(size: int) -> None:
    line = Server(LIMITS).connect()
    head = b"GET / HTTP/1.1\r\n" + b"X-A: 1\r\n" * 10 + b"\r\n"
    for start in range(0, len(head), size):
        await line.send(head[start : start + size])
    assert (line.status, line.ended) == (200, False)


@pytest.mark.parametrize("size", [50, 999, 100_000])
@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\n" + b"X-A: 1\r\n" * 11 + b"\r\n",
        b"GET / HTTP/1.1\r\nX-A: " + b"a" * 1000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nX-A: " + b"a" * 5000,
        b"GET / HTTP/1.1\r\n" + b"a" * 5000,
        b"GET /" + b"a" * 5000,
        b"\r\n" * 2000,
    ],
    ids=["headers", "header", "endless value", "endless name", "endless target", "empty lines"],
)
async def test_a_head_beyond_the_limits_is_431_and_the_connection_ends(head: bytes, size: int) -> None:
    line = Server(LIMITS).connect()
    for start in range(0, len(head), size):
        await line.send(head[start : start + size])
    assert (line.status, line.ended) == (431, True)


async def test_after_a_refusal_what_still_comes_is_dropped_and_the_connection_closed_soon() -> None:
    server = Server(LIMITS)
    line = server.connect()
    await line.send(b"GET /" + b"a" * 5000)
    written = line.wire.written
    await line.send(GET)
    assert line.wire.written == written
    server.loop.advance(1)
    assert line.wire.closed


async def test_after_a_refusal_much_more_ends_the_connection_at_once() -> None:
    line = Server(LIMITS).connect()
    await line.send(b"GET /" + b"a" * 5000)
    assert not line.wire.closed
    await line.send(b"a" * 501)
    assert line.wire.closed


async def test_the_limits_hold_for_every_request_of_a_connection() -> None:
    line = Server(LIMITS).connect()
    for _ in range(5):
        await line.send(b"GET / HTTP/1.1\r\n" + b"X-A: 1\r\n" * 9 + b"\r\n")
        assert line.status == 200
    await line.send(b"GET / HTTP/1.1\r\nX-A: " + b"a" * 5000)
    assert (line.status, line.ended) == (431, True)


@pytest.mark.parametrize("tail", [b"0\r\n" + b"X-A: 1\r\n" * 20, b"0\r\nX-A: " + b"a" * 5000, b"5;" + b"a" * 5000])
async def test_endless_trailers_and_chunk_extensions_end_the_connection(tail: bytes) -> None:
    line = Server(LIMITS, reading).connect()
    await line.send(CHUNKED + b"2\r\nok\r\n")
    for start in range(0, len(tail), 100):
        await line.send(tail[start : start + 100])
    assert line.ended


async def test_a_large_body_is_no_large_head() -> None:
    line = Server(LIMITS, reading).connect()
    await line.send(posted(50_000))
    for _ in range(50):
        await line.send(b"b" * 1000)
    assert (line.status, line.ended) == (200, False)


@pytest.mark.parametrize("begun", [b"", b"G", b"GET / HTTP/1.1\r\nHost: h\r\n", b"\r\n"])
async def test_a_head_that_is_not_complete_in_time_ends_the_connection(begun: bytes) -> None:
    server = Server(LIMITS)
    line = server.connect()
    if begun:
        await line.send(begun)
    server.loop.advance(9.9)
    assert not line.ended
    server.loop.advance(0.2)
    assert (line.ended, line.status) == (True, 408 if begun else 0)


async def test_single_bytes_do_not_give_a_head_more_time() -> None:
    server = Server(LIMITS)
    line = server.connect()
    for _ in range(11):
        server.loop.advance(1)
        if not line.ended:
            await line.send(b"G")
    assert line.ended


@pytest.mark.parametrize("begun", [b"G", b"GET / HTTP/1.1\r\n"])
@pytest.mark.parametrize("together", [True, False])
async def test_a_later_head_has_as_long_from_its_first_byte(begun: bytes, together: bool) -> None:
    server = Server(LIMITS)
    line = server.connect()
    if together:
        await line.send(GET + begun)
    else:
        await line.send(GET)
        server.loop.advance(4)
        await line.send(begun)
    assert not line.ended
    server.loop.advance(10)
    assert line.ended


async def test_an_idle_connection_is_kept_for_as_long_as_the_server_says() -> None:
    server = Server(LIMITS)
    line = server.connect()
    await line.send(GET)
    assert line.status == 200
    for timer in server.loop.timers:
        assert timer.cancelled or timer.due == 5.0  # uvicorn's own default
    server.loop.advance(5)
    assert line.ended


async def test_a_slow_answer_is_not_cut_by_the_clock_for_the_next_head() -> None:
    waiting = Waiting()
    server = Server(LIMITS, waiting)
    line = server.connect()
    await line.send(GET + b"GET")
    await line.send(b" /")
    server.loop.advance(60)
    assert not line.ended
    waiting.go.set()
    await line.send(b"x")
    assert line.wire.written.endswith(b"ok")
    server.loop.advance(10)
    assert line.ended


async def test_a_body_has_half_a_minute_and_more_the_more_of_it_has_come() -> None:
    server = Server(LIMITS, reading)
    line = server.connect()
    await line.send(posted(10_000))
    server.loop.advance(29)
    await line.send(b"b" * 5000)
    server.loop.advance(5)
    assert not line.ended
    await line.send(b"b" * 5000)
    assert (line.status, line.ended) == (200, False)


async def test_a_body_that_drips_ends_the_connection() -> None:
    server = Server(LIMITS, reading)
    line = server.connect()
    await line.send(posted(10_000))
    for _ in range(40):
        server.loop.advance(1)
        if not line.ended:
            await line.send(b"b")
    assert line.ended


async def test_a_body_the_application_does_not_take_is_not_slow() -> None:
    server = Server(LIMITS, Waiting())
    line = server.connect()
    await line.send(posted(200_000) + b"b" * 100_000)
    assert line.wire.paused
    for _ in range(10):
        server.loop.advance(30)
    assert not line.ended


async def test_a_body_nobody_reads_is_taken_up_to_a_limit() -> None:
    line = Server(LIMITS).connect()
    await line.send(posted(100_000))
    assert line.status == 200
    await line.send(b"b" * 400)
    assert not line.ended
    await line.send(b"b" * 400)
    assert line.ended
    assert line.wire.written.count(b"HTTP/1.1") == 1


async def test_a_body_nobody_reads_has_as_long_as_a_head() -> None:
    server = Server(LIMITS)
    line = server.connect()
    await line.send(posted(100))
    for _ in range(9):
        server.loop.advance(1)
        await line.send(b"b")
    assert not line.ended
    server.loop.advance(1)
    assert line.ended


async def test_after_a_body_that_came_late_the_connection_is_kept_as_usual() -> None:
    server = Server(LIMITS)
    line = server.connect()
    await line.send(posted(2))
    server.loop.advance(1)
    await line.send(b"bb")
    server.loop.advance(4.9)
    assert not line.ended
    await line.send(GET)
    assert line.wire.written.count(b"HTTP/1.1 200") == 2
    server.loop.advance(5)
    assert line.ended


async def test_requests_that_are_sent_ahead_are_answered_in_order() -> None:
    line = Server(LIMITS).connect()
    await line.send(GET * 4)
    assert line.wire.written.count(b"HTTP/1.1 200") == 4


async def test_too_many_requests_sent_ahead_end_the_connection() -> None:
    line = Server(LIMITS, Waiting()).connect()
    await line.send(GET * 100)
    assert line.ended
    assert len(line.protocol.pipeline) == 4


@pytest.mark.parametrize("garbage", [b"\x16\x03\x01", b"GET / HTTP/9\r\n\r\n", b"GET / HTTP/1.1\r\nA B: 1\r\n\r\n"])
async def test_what_is_not_http_is_400(garbage: bytes) -> None:
    line = Server(LIMITS).connect()
    await line.send(garbage)
    assert (line.status, line.ended) == (400, True)


async def test_garbage_after_an_answered_request_adds_no_second_answer() -> None:
    line = Server(LIMITS).connect()
    await line.send(CHUNKED + b"zz\r\n")
    await line.send(b"zz\r\n")
    assert (line.wire.written.count(b"HTTP/1.1"), line.ended) == (1, True)


async def test_many_idle_connections_do_not_keep_a_new_client_out() -> None:
    server = Server(LIMITS)
    idle = [server.connect() for _ in range(50)]
    line = server.connect("192.0.2.2")
    await line.send(GET)
    assert line.status == 200
    assert sum(not each.ended for each in idle) == 3


async def test_when_every_place_is_taken_by_a_request_a_new_connection_is_503() -> None:
    waiting = Waiting()
    server = Server(LIMITS, waiting)
    busy = [server.connect() for _ in range(4)]
    for line in busy:
        await line.send(GET)
    late = server.connect()
    assert (late.status, late.ended) == (503, True)
    waiting.go.set()
    await busy[0].send(b"\r\n")
    assert not any(line.ended for line in busy)
    again = server.connect()
    await again.send(GET)
    assert again.status == 200


async def test_a_connection_that_is_lost_frees_its_place_and_its_clocks() -> None:
    server = Server(LIMITS)
    line = server.connect()
    await line.send(GET + b"G")
    line.protocol.connection_lost(None)
    assert all(timer.cancelled for timer in server.loop.timers)
    assert len(line.protocol.table) == 0
