import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Receive, Scope, Send

from gateway.connection_limits import Limits
from gateway.connection_limits.protocol import ConnectionRegister, LimitedProtocol
from tests.connection_limits.wires import Server

LIMITS = Limits(connections=4, per_address=4, head_bytes=1000)
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


@pytest.mark.parametrize("size", [1, 100_000])
async def test_a_request_within_the_limits_is_served_in_pieces_of_any_size(size: int) -> None:
    line = Server(LIMITS).connect()
    head = b"GET / HTTP/1.1\r\n" + b"X-A: 1\r\n" * 10 + b"\r\n"
    for start in range(0, len(head), size):
        await line.send(head[start : start + size])
    assert (line.status, line.ended) == (200, False)


@pytest.mark.parametrize("size", [50, 100_000])
@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\n" + b"X-A: 1\r\n" * 150 + b"\r\n",
        b"GET / HTTP/1.1\r\nX-A: " + b"a" * 5000,
        b"GET /" + b"a" * 5000,
    ],
    ids=["headers", "endless value", "endless target"],
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


@pytest.mark.parametrize("tail", [b"0\r\n" + b"X-A: 1\r\n" * 200, b"0\r\nX-A: " + b"a" * 5000, b"5;" + b"a" * 5000])
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
    assert len(line.protocol.register) == 0


async def test_beyond_a_limit_the_longest_idle_connection_gives_way() -> None:
    server = Server(Limits(connections=3, per_address=2))
    other = server.connect("192.0.2.9")
    first, second = server.connect(), server.connect()
    await first.send(GET)  # and so it has been idle for less time than the second

    server.connect()
    assert [line.ended for line in (other, first, second)] == [False, False, True]
    server.connect("192.0.2.8")
    assert [line.ended for line in (other, first)] == [True, False]


async def test_addresses_of_one_64_count_as_one() -> None:
    server = Server(Limits(connections=10, per_address=2))
    lines = [server.connect(f"2001:db8::{number:x}") for number in range(4)]
    assert [line.ended for line in lines] == [True, True, False, False]


async def test_ipv4_clients_of_a_socket_for_both_families_count_each_for_itself() -> None:
    server = Server(Limits(connections=10, per_address=1))
    lines = [server.connect(f"::ffff:192.0.2.{number}") for number in range(3)]
    assert not any(line.ended for line in lines)


@pytest.mark.parametrize(("host", "places"), [("192.0.2.1", 2), ("127.0.0.1", 4), ("::1", 4), ("::ffff:127.0.0.1", 4)])
async def test_busy_connections_of_one_address_leave_places_for_others(host: str, places: int) -> None:
    server = Server(Limits(connections=8, per_address=2), Waiting())
    busy = [server.connect(host) for _ in range(5)]
    for line in busy:
        await line.send(GET)
    assert sum(line.status == 200 for line in busy) == places
    other = server.connect("192.0.2.9")
    await other.send(GET)
    assert other.status == 200


async def test_a_body_that_stops_coming_ends_the_connection_and_a_slow_one_does_not() -> None:
    server = Server(LIMITS, reading)
    stopped, slow = server.connect(), server.connect()
    for line in (stopped, slow):
        await line.send(posted(9) + b"b")
    for _ in range(4):
        await slow.send(b"b")
        server.loop.advance(15)
    assert [line.ended for line in (stopped, slow)] == [True, False]


async def test_a_client_that_does_not_read_loses_its_connection_and_a_slow_one_does_not() -> None:
    server = Server(LIMITS, Waiting())
    stopped, slow = server.connect(), server.connect()
    for line in (stopped, slow):
        await line.send(GET)
        line.wire.unread = 70_000
        line.protocol.pause_writing()
    for _ in range(4):
        server.loop.advance(15)
        slow.protocol.resume_writing()
        slow.protocol.pause_writing()
    assert [line.ended for line in (stopped, slow)] == [True, False]


async def test_the_rest_of_an_answer_that_nobody_reads_ends_the_connection() -> None:
    server = Server(LIMITS)
    line = server.connect()
    line.wire.unread = 1000
    await line.send(GET)
    server.loop.advance(14)
    assert (line.status, line.wire.aborted) == (200, False)
    server.loop.advance(1)
    assert line.wire.aborted


async def test_a_slow_application_loses_no_client() -> None:
    waiting = Waiting()
    server = Server(LIMITS, waiting)
    line = server.connect()
    await line.send(GET)
    for _ in range(20):
        server.loop.advance(15)
    waiting.go.set()
    await line.send(b"\r\n")
    assert line.wire.written.endswith(b"ok")


Steps = st.lists(st.tuples(st.sampled_from(["open", "work", "rest", "close"]), st.integers(0, 30), st.integers(0, 3)))


class Connection(LimitedProtocol):
    def __init__(self) -> None:
        self.gave_way = False

    def give_way(self) -> None:
        self.gave_way = True


@given(Steps)
def test_no_sequence_of_events_exceeds_a_limit_or_ends_a_request(steps: list[tuple[str, int, int]]) -> None:
    register = ConnectionRegister(Limits(connections=6, per_address=4))
    connections: list[Connection] = []
    busy: set[int] = set()
    for event, number, host in steps:
        if event == "open":
            connection = Connection()
            if register.add(connection, f"192.0.2.{host}"):
                connections.append(connection)
        elif connections:
            index = number % len(connections)
            if connections[index].gave_way:
                continue
            change = {"work": register.set_busy, "rest": register.set_idle, "close": register.remove}[event]
            change(connections[index])
            busy = busy | {index} if event == "work" else busy - {index}
        assert len(register) <= 6
        assert not any(connections[index].gave_way for index in busy)
