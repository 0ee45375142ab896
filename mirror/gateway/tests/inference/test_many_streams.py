"""Many streams at once."""

import asyncio
from pathlib import Path

import aiohttp

from tests.inference.pools import CHAT, CLIENT, compat, pool, records

STREAMED = CHAT | {"stream": True, "stream_options": {"include_usage": True}}
MANY = 200


async def test_two_hundred_streams_at_once_all_end_whole(tmp_path: Path) -> None:
    keys = [f"ok-{number}" for number in range(10)]
    async with pool(tmp_path, "openai-compatibility:\n" + compat("{url}", *keys)) as (served, upstream):
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as client:

            async def one() -> bytes:
                async with client.post(f"{served.url}/v1/chat/completions", headers=CLIENT, json=STREAMED) as response:
                    return await response.read()

            answers = await asyncio.gather(*(one() for _ in range(MANY)))
        assert all(answer.endswith(b"data: [DONE]\n\n") for answer in answers)
        assert {upstream.keys.count(key) for key in keys} == {MANY // len(keys)}
        taken = await records(served)
        assert len(taken) == MANY
        assert not any(one["failed"] for one in taken)
        assert len({one["request_id"] for one in taken}) == MANY


async def test_two_hundred_clients_that_leave_stop_two_hundred_upstreams(tmp_path: Path) -> None:
    async with pool(tmp_path, "openai-compatibility:\n" + compat("{url}", "endless-1")) as (served, upstream):
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as client:

            async def begin() -> aiohttp.ClientResponse:
                response = await client.post(f"{served.url}/v1/chat/completions", headers=CLIENT, json=STREAMED)
                await response.content.readuntil(b"\n\n")
                return response

            responses = await asyncio.gather(*(begin() for _ in range(MANY)))
            assert upstream.open == MANY
            for response in responses:
                response.close()
            while upstream.open:
                upstream.stopped.clear()
                await upstream.stopped.wait()
        assert len(await records(served)) == MANY
