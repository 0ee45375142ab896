import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import ClientHttpProxyError, ClientSession, ClientTimeout

from tools.project.demo.behavior import Behavior, demo_key
from tools.project.demo.providers import Providers, start_providers

HI = [{"role": "user", "content": "2+3="}]
KEY = demo_key(Behavior.OK, "test")
HEADERS = {"Authorization": f"Bearer {KEY}", "anthropic-version": "2023-06-01"}


@pytest.fixture
async def providers() -> AsyncIterator[Providers]:
    async with start_providers(slow_seconds=0.01) as started:
        yield started


@pytest.fixture
async def client(providers: Providers) -> AsyncIterator[ClientSession]:
    async with ClientSession(providers.address, timeout=ClientTimeout(total=5), headers=HEADERS) as session:
        yield session


async def events(client: ClientSession, path: str, body: dict[str, Any]) -> list[dict[str, Any]]:
    async with client.post(path, json=body) as answer:
        assert (answer.status, answer.content_type) == (200, "text/event-stream")
        lines = (await answer.text()).splitlines()
    texts = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
    return [json.loads(text) for text in texts if text != "[DONE]"]


async def test_a_streamed_chat_says_its_usage_only_to_who_asks_for_it(client: ClientSession) -> None:
    question: dict[str, Any] = {"model": "m", "messages": HI, "stream": True}

    short = await events(client, "/v1/chat/completions", question)
    long = await events(client, "/v1/chat/completions", {**question, "stream_options": {"include_usage": True}})

    assert "".join(chunk["choices"][0]["delta"].get("content", "") for chunk in short) == "5"
    assert (long[:-1], long[-1]["choices"], long[-1]["usage"]["total_tokens"]) == (short, [], 2)


async def test_a_streamed_message_has_the_events_of_its_interface(client: ClientSession) -> None:
    chunks = await events(client, "/v1/messages", {"model": "m", "messages": HI, "stream": True})

    assert [event["type"] for event in chunks] == [
        "message_start", "content_block_start", "ping", "content_block_delta", "content_block_stop", "message_delta",
        "message_stop",
    ]  # fmt: skip


async def test_a_streamed_response_numbers_its_events_and_ends_with_the_whole(client: ClientSession) -> None:
    question = {"model": "m", "input": "2+3="}
    chunks = await events(client, "/v1/responses", {**question, "stream": True})

    async with client.post("/v1/responses", json=question) as answer:
        whole = await answer.json()
    assert [event["sequence_number"] for event in chunks] == list(range(len(chunks)))
    assert chunks[-1]["response"] == whole
    assert whole["output"][0]["content"][0]["text"] == "5"


async def test_a_native_stream_comes_as_events_or_as_an_array(client: ClientSession) -> None:
    path, question = "/v1beta/models/m:streamGenerateContent", {"contents": [{"parts": [{"text": "ping"}]}]}

    chunks = await events(client, f"{path}?alt=sse", question)
    async with client.post(path, json=question) as answer:
        array = await answer.json()

    assert "".join(part["candidates"][0]["content"]["parts"][0]["text"] for part in array) == "pong"
    assert array == chunks


@pytest.mark.parametrize(
    ("path", "count"), [("/v1/messages/count_tokens", "input_tokens"), ("/v1beta/models/m:countTokens", "totalTokens")]
)
async def test_tokens_are_counted(client: ClientSession, path: str, count: str) -> None:
    async with client.post(path, json={"model": "m", "messages": HI}) as answer:
        assert await answer.json() == {count: 1}


@pytest.mark.parametrize(
    ("behavior", "status"),
    [(Behavior.UNAUTHORIZED, 401), (Behavior.RATE_LIMITED, 429), (Behavior.FAILING, 500), (Behavior.SLOW, 200)],
)
async def test_a_stream_fails_as_the_name_of_the_key_says(
    client: ClientSession, behavior: Behavior, status: int
) -> None:
    question = {"model": "m", "messages": HI, "stream": True}
    header = {"Authorization": f"Bearer {demo_key(behavior, 'test')}"}

    async with client.post("/v1/chat/completions", json=question, headers=header) as answer:
        assert answer.status == status


async def test_a_stream_that_is_held_back_has_begun_but_does_not_end(
    providers: Providers, client: ClientSession
) -> None:
    providers.hold_back()
    async with client.post("/v1/chat/completions", json={"model": "m", "messages": HI, "stream": True}) as answer:
        begun = await answer.content.readuntil(b"\n\n")
        rest = asyncio.ensure_future(answer.content.read())
        providers.let_finish()

        assert json.loads(begun.removeprefix(b"data: "))["object"] == "chat.completion.chunk"
        assert (await rest).endswith(b"data: [DONE]\n\n")


async def test_as_a_proxy_it_answers_for_itself_and_connects_to_nobody_else(
    providers: Providers, client: ClientSession
) -> None:
    async with client.get("/v1/models", proxy=providers.address) as answer:
        assert answer.status == 200
    async with client.get("http://vendor.invalid/v1/models", proxy=providers.address) as answer:
        assert answer.status == 200
    with pytest.raises(ClientHttpProxyError):
        await client.get("https://vendor.invalid/v1/models", proxy=providers.address)
    assert providers.requests == {KEY: 2}
