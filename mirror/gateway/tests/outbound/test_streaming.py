"""Answers that are passed on while they arrive."""

import pytest

from gateway.internal.outbound.client import Outbound
from gateway.internal.outbound.failure import FailureKind, OutboundFailed
from gateway.internal.outbound.redirects import Hop
from gateway.internal.outbound.streaming import PIECE, Stream
from tests.loopback import answer, upstream


async def body_of(stream: Stream) -> list[bytes]:
    pieces = [piece async for piece in stream.chunks()]
    await stream.close()
    return pieces


async def test_a_long_body_comes_in_pieces_of_bounded_length() -> None:
    async with upstream(lambda _: answer(200, b"x" * 1_000_000)) as running:
        client = Outbound()
        pieces = await body_of(await client.stream(Hop("POST", f"{running.url}/a", body=b"{}")))
        assert max(map(len, pieces)) <= PIECE
        assert sum(map(len, pieces)) == 1_000_000
        await client.close()


async def test_a_request_is_not_sent_again_when_a_kept_connection_was_closed_under_it() -> None:
    answers = [answer(200, b"one"), b"", answer(200, b"two")]
    async with upstream(lambda _: answers.pop(0)) as running:
        client = Outbound()
        hop = Hop("POST", f"{running.url}/a", body=b"{}")
        assert await body_of(await client.stream(hop)) == [b"one"]
        with pytest.raises(OutboundFailed) as failed:
            await client.stream(hop)
        assert (failed.value.kind, failed.value.stale) == (FailureKind.CONNECT, True)
        assert await body_of(await client.stream(hop)) == [b"two"]
        assert len(running.received) == 3
        await client.close()


async def test_an_answer_that_is_given_up_closes_its_connection() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegin"
    async with upstream(lambda _: head) as running:
        client = Outbound()
        for _ in range(2):
            stream = await client.stream(Hop("GET", f"{running.url}/a"))
            assert await anext(stream.chunks()) == b"begin"
            await stream.close()
        assert running.connections == 2
        await client.close()
