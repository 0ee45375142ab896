"""The OpenAI client library against the gateway."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import openai

from tests.inference.pools import compat, key_section, pool
from tests.inference.providers import Providers

POOL = (
    "openai-compatibility:\n"
    + compat("{url}", "s401-bad", "ok-good")
    + compat("{url}", "s429-tired", name="tired", model="tired-model")
    + key_section("codex-api-key", "{url}/v1", ["ok-codex"], "codex-demo")
)


@asynccontextmanager
async def client(folder: Path, api_key: str = "client-key-1") -> AsyncIterator[tuple[openai.AsyncOpenAI, Providers]]:
    async with (
        pool(folder, POOL) as (served, upstream),
        openai.AsyncOpenAI(api_key=api_key, base_url=f"{served.url}/v1", max_retries=0) as made,
    ):
        yield made, upstream


async def test_a_chat_completion(tmp_path: Path) -> None:
    async with client(tmp_path) as (made, _):
        answer = await made.chat.completions.create(model="demo-model", messages=[{"role": "user", "content": "hi"}])
        assert answer.choices[0].message.content == "Hello"
        assert answer.usage is not None
        assert answer.usage.total_tokens == 7


async def test_a_streamed_chat_completion(tmp_path: Path) -> None:
    async with client(tmp_path) as (made, _):
        stream = await made.chat.completions.create(
            model="demo-model", messages=[{"role": "user", "content": "hi"}], stream=True
        )
        texts = [chunk.choices[0].delta.content or "" async for chunk in stream]
        assert "".join(texts) == "Hello"


async def test_a_response_whole_and_streamed(tmp_path: Path) -> None:
    async with client(tmp_path) as (made, _):
        answer = await made.responses.create(model="codex-demo", input="hi")
        assert answer.output_text == "Hello"
        stream = await made.responses.create(model="codex-demo", input="hi", stream=True)
        kinds = [event.type async for event in stream]
        assert kinds == ["response.output_text.delta", "response.completed"]
