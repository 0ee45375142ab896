"""Signs of life in a stream whose upstream is silent."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest

from gateway.internal.inference.relay import between_events, marking_silence
from tests.inference.pools import CLIENT, pool
from tests.inference.test_streaming import STREAMED, endless

COMMENT = b": keep-alive\n\n"


async def test_silence_is_marked_and_nothing_is_lost() -> None:
    goes_on = asyncio.Event()

    async def source() -> AsyncIterator[bytes]:
        yield b"a"
        await goes_on.wait()
        yield b"b"

    seen: list[bytes | None] = []
    async for piece in marking_silence(source(), 0.01):
        seen.append(piece)
        if seen.count(None) == 2:
            goes_on.set()
    assert seen[:3] == [b"a", None, None]
    assert [piece for piece in seen if piece] == [b"a", b"b"]


async def test_who_stops_listening_stops_the_source() -> None:
    ended = asyncio.Event()

    async def source() -> AsyncIterator[bytes]:
        try:
            await asyncio.Event().wait()
            yield b"never"
        finally:
            ended.set()

    async with aclosing(marking_silence(source(), 0.01)) as pieces:
        assert await anext(pieces) is None
    assert ended.is_set()


@pytest.mark.parametrize(
    ("passed", "between"),
    [(b"data: 1\n\n", True), (b"data: 1\r\n\r\n", True), (b"data: 1\n", False), (b"data: 1", False), (b"", False)],
)
def test_a_comment_stands_only_between_events(passed: bytes, between: bool) -> None:
    assert between_events(passed) is between


async def test_a_client_hears_something_while_the_upstream_thinks(tmp_path: Path) -> None:
    async with (
        pool(tmp_path, endless(), rest="streaming:\n  keepalive-seconds: 1\n") as (served, upstream),
        served.client.post(f"{served.url}/v1/chat/completions", headers=CLIENT, json=STREAMED) as response,
    ):
        assert (await response.content.readuntil(b"\n\n")).startswith(b"data: ")
        assert await response.content.readuntil(b"\n\n") == COMMENT
        upstream.step.release()
        assert (await response.content.readuntil(b"\n\n")).startswith(b"data: ")
        response.close()
        await upstream.stopped.wait()
