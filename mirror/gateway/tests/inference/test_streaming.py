"""Streams: nothing is held back, nothing outlives its client, nothing incomplete looks complete."""

import asyncio
from pathlib import Path

import aiohttp
import pytest

from tests.inference.pools import CHAT, CLIENT, compat, pool, records
from tests.inference.providers import Providers

STREAMED = CHAT | {"stream": True, "stream_options": {"include_usage": True}}


def endless(*keys: str) -> str:
    return "openai-compatibility:\n" + compat("{url}", *(keys or ("endless-1",)))


async def test_each_event_arrives_before_the_next_is_sent(tmp_path: Path) -> None:
    async with (
        pool(tmp_path, endless()) as (served, upstream),
        served.client.post(f"{served.url}/v1/chat/completions", headers=CLIENT, json=STREAMED) as response,
    ):
        for _ in range(3):
            assert (await response.content.readuntil(b"\n\n")).startswith(b"data: ")
            upstream.step.release()


async def test_an_event_is_not_held_back_where_the_usage_is_taken_out(tmp_path: Path) -> None:
    async with (
        pool(tmp_path, endless()) as (served, upstream),
        served.client.post(
            f"{served.url}/v1/chat/completions", headers=CLIENT, json=CHAT | {"stream": True}
        ) as response,
    ):
        for _ in range(3):
            assert (await response.content.readuntil(b"\n\n")).startswith(b"data: ")
            upstream.step.release()


async def test_when_the_client_leaves_the_upstream_is_stopped(tmp_path: Path) -> None:
    async with pool(tmp_path, endless()) as (served, upstream):
        response = await served.client.post(f"{served.url}/v1/chat/completions", headers=CLIENT, json=STREAMED)
        await response.content.readuntil(b"\n\n")
        response.close()
        await upstream.stopped.wait()
        assert upstream.open == 0
        (record,) = await records(served)
        assert (record["failed"], record["fail"]) == (True, {"status_code": 499, "body": "client left"})
        (credential,) = served.runtime.snapshot.credentials
        assert served.runtime.traffic.cooldowns.remaining(credential.id, "demo-model") == 0
        assert served.runtime.activity.totals(credential.id) == (0, 0)


async def test_when_the_client_leaves_before_an_answer_the_upstream_is_stopped(tmp_path: Path) -> None:
    async with pool(tmp_path, endless("silent-1")) as (served, upstream):
        asking = asyncio.create_task(served.request("POST", "/v1/chat/completions", headers=CLIENT, json=CHAT))
        await upstream.waiting.wait()
        asking.cancel()
        await upstream.stopped.wait()
        assert (await records(served))[0]["fail"] == {"status_code": 499, "body": "client left"}


async def test_an_answer_that_breaks_off_does_not_look_complete(tmp_path: Path) -> None:
    async with pool(tmp_path, endless("cut-1")) as (served, _):
        async with served.client.post(f"{served.url}/v1/chat/completions", headers=CLIENT, json=STREAMED) as response:
            assert response.status == 200
            with pytest.raises(aiohttp.ClientPayloadError):
                await response.read()
        (record,) = await records(served)
        assert record["failed"] is True
        (credential,) = served.runtime.snapshot.credentials
        assert 59 < served.runtime.traffic.cooldowns.remaining(credential.id, "demo-model") <= 60


async def test_a_client_that_does_not_read_holds_the_upstream_back(tmp_path: Path) -> None:
    """Backpressure: however much the upstream has to say, the gateway keeps only a few buffers of it."""
    async with pool(tmp_path, endless()) as (served, upstream):
        upstream.filler = "x" * 65536
        for _ in range(2000):  # 128 MiB, were it not held back
            upstream.step.release()
        response = await served.client.post(f"{served.url}/v1/chat/completions", headers=CLIENT, json=STREAMED)
        await _still(upstream)
        assert upstream.sent < 400
        response.close()
        await upstream.stopped.wait()


async def _still(upstream: Providers) -> None:
    """Wait until the upstream has sent nothing for many turns of the loop."""
    turns, before = 0, upstream.sent
    while turns < 500:
        await asyncio.sleep(0)
        turns = turns + 1 if upstream.sent == before else 0
        before = upstream.sent
