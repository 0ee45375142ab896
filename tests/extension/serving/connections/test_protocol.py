"""Limits of one connection."""

import pytest

from extension.serving.connections.limits import ConnectionLimits
from tests.extension.serving.connections.lines import Lines, greeting, reading, silent

LIMITS = ConnectionLimits(head_bytes=1_000, headers=20, unread_bytes=500, pipelined=4)
GET = b"GET / HTTP/1.1\r\nHost: h\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n"


async def test_an_ordinary_request_is_answered_and_its_connection_kept() -> None:
    line = Lines(LIMITS).connect()
    await line.send(GET)
    await line.send(GET)
    assert (line.statuses, line.ended) == ([200, 200], False)


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\nX: " + b"a" * 1_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 21 + b"\r\n",
        b"GET /" + b"a" * 1_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nX: " + b"a" * 1_001,
    ],
)
async def test_a_head_beyond_the_limits_is_431(head: bytes) -> None:
    line = Lines(LIMITS).connect()
    await line.send(head)
    assert (line.statuses, line.ended) == ([431], True)


async def test_an_endless_line_in_small_pieces_is_431() -> None:
    line = Lines(LIMITS).connect()
    await line.send(b"GET / HTTP/1.1\r\nX: ")
    for _ in range(100):
        await line.send(b"a" * 10)
    assert (line.statuses, line.ended) == ([431], True)


async def test_endless_trailers_end_the_connection_without_a_second_answer() -> None:
    lines = Lines(LIMITS, reading)
    line = lines.connect()
    await line.send(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n")
    for _ in range(200):
        await line.send(b"X: aaaaaaaaaa\r\n")
    assert (line.statuses, line.ended) == ([], True)


async def test_an_endless_chunk_extension_ends_the_connection() -> None:
    line = Lines(LIMITS, reading).connect()
    await line.send(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;")
    for _ in range(200):
        await line.send(b"a" * 10)
    assert line.ended


@pytest.mark.parametrize("sent", [b"", b"G", b"GET / HTTP/1.1\r\nX: "])
async def test_a_head_that_is_not_complete_in_time_ends_the_connection(sent: bytes) -> None:
    lines = Lines(LIMITS)
    line = lines.connect()
    await line.send(sent)
    lines.loop.advance(9.9)
    assert not line.ended
    lines.loop.advance(0.2)
    assert line.ended
    assert line.statuses == ([408] if sent else [])


async def test_single_bytes_do_not_prolong_the_time_of_a_head() -> None:
    lines = Lines(LIMITS)
    line = lines.connect()
    await line.send(GET)
    await line.send(b"GET / HTTP/1.1\r\nX: ")
    for _ in range(11):
        lines.loop.advance(1)
        if not line.ended:
            await line.send(b"a")
    assert (line.statuses, line.ended) == ([200, 408], True)


async def test_a_kept_connection_ends_after_the_keep_alive_time() -> None:
    lines = Lines(LIMITS)
    line = lines.connect()
    await line.send(GET)
    lines.loop.advance(60)
    assert line.ended


async def test_a_body_slower_than_the_least_rate_ends_the_connection() -> None:
    lines = Lines(LIMITS, reading)
    line = lines.connect()
    await line.send(POST)
    for _ in range(40):
        lines.loop.advance(1)
        if not line.ended:
            await line.send(b"a")
    assert (line.statuses, line.ended) == ([], True)


async def test_a_body_at_the_least_rate_may_take_its_time() -> None:
    lines = Lines(LIMITS, reading)
    line = lines.connect()
    await line.send(POST)
    for _ in range(100):
        lines.loop.advance(1)
        await line.send(b"a" * 1_000)
    assert (line.statuses, line.ended) == ([200], False)


async def test_a_body_after_its_answer_is_bounded_in_size_and_in_time() -> None:
    lines = Lines(LIMITS)
    large, slow = lines.connect(), lines.connect()
    for line in (large, slow):
        await line.send(POST)
    await large.send(b"a" * 600)
    lines.loop.advance(11)
    assert (large.statuses, large.ended) == ([200], True)
    assert (slow.statuses, slow.ended) == ([200], True)


async def test_too_many_requests_sent_ahead_end_the_connection() -> None:
    line = Lines(LIMITS).connect()
    await line.send(GET * 10)
    assert line.ended


async def test_a_few_requests_sent_ahead_are_answered_in_order() -> None:
    line = Lines(LIMITS).connect()
    await line.send(GET * 3)
    await line.send(b"")
    assert (line.statuses, line.ended) == ([200, 200, 200], False)


async def test_a_client_that_does_not_read_its_answer_is_cut_off() -> None:
    lines = Lines(LIMITS, silent)
    line = lines.connect()
    await line.send(GET)
    line.protocol.pause_writing()
    lines.loop.advance(299)
    assert not line.wire.aborted
    lines.loop.advance(2)
    assert line.wire.aborted
    line.protocol.connection_lost(None)


async def test_a_client_that_reads_on_is_not_cut_off() -> None:
    lines = Lines(LIMITS)
    line = lines.connect()
    await line.send(GET)
    for _ in range(5):
        line.protocol.pause_writing()
        line.protocol.resume_writing()
    assert not any(timer.due > 100 for timer in lines.loop.timers if not timer.done)


async def test_an_idle_connection_gives_way_when_there_are_too_many() -> None:
    lines = Lines(ConnectionLimits(connections=3, idle=3))
    held = [lines.connect(f"192.0.2.{number}") for number in range(3)]
    newest = lines.connect("192.0.2.9")
    assert [line.ended for line in held] == [True, False, False]
    await newest.send(GET)
    assert newest.statuses == [200]


async def test_a_new_connection_is_503_when_every_other_one_has_a_request() -> None:
    lines = Lines(ConnectionLimits(connections=2, idle=2), reading)
    for _ in range(2):
        await lines.connect().send(POST)
    refused = lines.connect()
    assert (refused.statuses, refused.ended) == ([503], True)


async def test_a_closed_connection_frees_its_place() -> None:
    lines = Lines(ConnectionLimits(connections=2, idle=2), reading)
    first, _ = lines.connect(), lines.connect()
    for line in (first, _):
        await line.send(POST)
    first.protocol.connection_lost(None)
    assert lines.connect().statuses == []


async def test_an_invalid_request_is_400() -> None:
    line = Lines(LIMITS, greeting).connect()
    await line.send(b"\x00\x01\x02\r\n\r\n")
    assert (line.statuses, line.ended) == ([400], True)


async def test_an_upgrade_is_answered_as_a_request() -> None:
    lines = Lines(LIMITS)
    line = lines.connect()
    await line.send(b"GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
    assert line.statuses == [200]
