"""The Anthropic client library against the gateway."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anthropic
from anthropic.types import MessageParam

from tests.inference.pools import key_section, pool
from tests.inference.providers import Providers

POOL = key_section("claude-api-key", "{url}", ["s403-bad", "ok-good"], "claude-demo")
POOL += '  - api-key: "s529-busy"\n    base-url: "{url}"\n    models: [{name: claude-busy}]\n'
HI: list[MessageParam] = [{"role": "user", "content": "hi"}]


@asynccontextmanager
async def client(
    folder: Path, api_key: str = "client-key-1"
) -> AsyncIterator[tuple[anthropic.AsyncAnthropic, Providers]]:
    async with (
        pool(folder, POOL) as (served, upstream),
        anthropic.AsyncAnthropic(api_key=api_key, base_url=served.url, max_retries=0) as made,
    ):
        yield made, upstream


async def test_a_message(tmp_path: Path) -> None:
    async with client(tmp_path) as (made, upstream):
        answer = await made.messages.create(model="claude-demo", max_tokens=8, messages=HI)
        (block,) = answer.content
        assert block.type == "text"
        assert block.text == "Hello"
        assert upstream.seen[-1].headers["anthropic-version"] == made.default_headers["anthropic-version"]


async def test_a_streamed_message(tmp_path: Path) -> None:
    async with (
        client(tmp_path) as (made, _),
        made.messages.stream(model="claude-demo", max_tokens=8, messages=HI) as stream,
    ):
        assert [text async for text in stream.text_stream] == ["Hello"]
        final = await stream.get_final_message()
        assert (final.usage.input_tokens, final.usage.output_tokens) == (5, 2)


async def test_counting_tokens(tmp_path: Path) -> None:
    async with client(tmp_path) as (made, _):
        assert (await made.messages.count_tokens(model="claude-demo", messages=HI)).input_tokens == 3
