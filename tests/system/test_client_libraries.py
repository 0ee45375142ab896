"""The vendors' own client libraries against the service, on the demo pool, whose providers are all on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.system.client import Client
from tests.system.conftest import Walk
from tests.system.process import serving
from tests.system.stand_in import counted, providers_at
from tools.project.demo.folder import open_folder
from tools.project.demo.pool import DEMO_CLIENT_KEY
from tools.project.demo.rows import DEMO_ROWS

if TYPE_CHECKING:  # their import takes two seconds in each worker, and tests of this file run in one
    import anthropic
    import openai
    from anthropic.types import MessageParam
    from openai.types.chat import ChatCompletionUserMessageParam

CLAUDE = "claude-demo"  # a name of the family that no version of the library warns of
PING: list[ChatCompletionUserMessageParam] = [{"role": "user", "content": "ping"}]
SUM: list[MessageParam] = [{"role": "user", "content": "20+22="}]
KEYS = {row.name: row.key for row in DEMO_ROWS}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walk]:
    """One service for all tests here: each asks for models of its own, or does not mind who was asked before."""
    folder = open_folder(tmp_path_factory.mktemp("clients") / "demo")
    with providers_at(folder.providers_port) as providers, serving(folder.config) as service:
        yield Walk(folder, providers, service, Client(folder.gateway_port, folder.management_key))


def address_of(house: Walk) -> str:
    return f"http://127.0.0.1:{house.folder.gateway_port}"


async def recorded(house: Walk, model: str, count: int) -> list[dict[str, Any]]:
    """Return the events of a model once there are that many: the service collects them from the gateway's queue."""
    events: list[dict[str, Any]] = []
    while len(events) < count:
        await asyncio.sleep(0.05)
        events = [event for event in house.client.own("GET", "usage")["events"] if event["alias"] == model]
    return events


@pytest.fixture
async def chatting(house: Walk) -> AsyncIterator[openai.AsyncOpenAI]:
    import openai

    address = f"{address_of(house)}/v1"
    async with openai.AsyncOpenAI(api_key=DEMO_CLIENT_KEY, base_url=address, max_retries=0, timeout=20) as client:
        yield client


@pytest.fixture
async def writing(house: Walk) -> AsyncIterator[anthropic.AsyncAnthropic]:
    import anthropic

    address = address_of(house)
    async with anthropic.AsyncAnthropic(api_key=DEMO_CLIENT_KEY, base_url=address, max_retries=0, timeout=20) as client:
        yield client


async def test_both_libraries_list_the_models_of_the_pool(
    chatting: openai.AsyncOpenAI, writing: anthropic.AsyncAnthropic
) -> None:
    listed = {model.id async for model in await chatting.models.list()}

    assert {"ok-model", "duo-model", "claude-opus-4-5-20251101"} <= listed
    assert {model.id async for model in await writing.models.list(limit=1000)} == listed
    assert "switched-off-model" not in listed


async def test_a_chat_is_answered_by_the_second_key_when_the_first_is_refused(
    house: Walk, chatting: openai.AsyncOpenAI
) -> None:
    answers = [await chatting.chat.completions.create(model="duo-model", messages=PING) for _ in range(2)]

    requests = counted(house.providers)
    assert [answer.choices[0].message.content for answer in answers] == ["pong", "pong"]
    assert (requests[KEYS["duo-good"]], requests[KEYS["duo-bad"]]) == (2, 1)
    mine = await recorded(house, "duo-model", 3)
    assert [bool(event["failure"]) for event in mine].count(True) == 1
    assert len({event["requestId"] for event in mine}) == 2


async def test_a_streamed_chat_arrives_while_it_is_still_being_written(
    house: Walk, chatting: openai.AsyncOpenAI
) -> None:
    house.providers.hold_back()
    stream = await chatting.chat.completions.create(model="ok-model", messages=PING, stream=True)
    texts = []
    try:
        async for chunk in stream:
            texts.append(chunk.choices[0].delta.content or "")
            if "".join(texts) == "pong":
                break
    finally:
        house.providers.let_finish()
    rest = [chunk.choices[0].finish_reason async for chunk in stream]

    assert texts == ["", "p", "o", "n", "g"]
    assert rest == ["stop"]


async def test_a_response_is_given_whole_and_streamed(chatting: openai.AsyncOpenAI) -> None:
    whole = await chatting.responses.create(model="gpt-5", input="2+3=")
    async with chatting.responses.stream(model="gpt-5", input="ping") as stream:
        letters = [event.delta async for event in stream if event.type == "response.output_text.delta"]
        final = await stream.get_final_response()

    assert whole.output_text == "5"
    assert (letters, final.output_text) == (["p", "o", "n", "g"], "pong")


async def test_a_message_is_written_by_whoever_can_among_keys_that_fail(writing: anthropic.AsyncAnthropic) -> None:
    answers = [await writing.messages.create(model=CLAUDE, max_tokens=8, messages=SUM) for _ in range(3)]

    assert [block.text for answer in answers for block in answer.content if block.type == "text"] == ["42"] * 3
    assert (await writing.messages.count_tokens(model=CLAUDE, messages=SUM)).input_tokens == 1


async def test_a_streamed_message_arrives_while_it_is_still_being_written(
    house: Walk, writing: anthropic.AsyncAnthropic
) -> None:
    house.providers.hold_back()
    try:
        async with writing.messages.stream(model=CLAUDE, max_tokens=8, messages=SUM) as stream:
            letters = [await anext(aiter(stream.text_stream)) for _ in range(2)]
            house.providers.let_finish()
            final = await stream.get_final_message()
    finally:
        house.providers.let_finish()

    assert letters == ["4", "2"]
    assert (final.stop_reason, final.usage.output_tokens) == ("end_turn", 1)


async def test_a_model_nobody_has_is_an_error_both_libraries_know(
    chatting: openai.AsyncOpenAI, writing: anthropic.AsyncAnthropic
) -> None:
    import anthropic
    import openai

    with pytest.raises(openai.BadRequestError, match="nobodys-model") as refused:
        await chatting.chat.completions.create(model="nobodys-model", messages=PING)
    with pytest.raises(anthropic.BadRequestError, match="nobodys-model"):
        await writing.messages.create(model="nobodys-model", max_tokens=8, messages=SUM)
    assert refused.value.code == "model_not_found"


@pytest.mark.parametrize("streamed", [False, True])
async def test_the_last_failure_is_told_when_every_key_of_a_model_fails(
    chatting: openai.AsyncOpenAI, *, streamed: bool
) -> None:
    import openai

    model = "rate-limited-model" if streamed else "failing-model"
    with pytest.raises(openai.APIStatusError) as first:
        await chatting.chat.completions.create(model=model, messages=PING, stream=streamed)
    with pytest.raises(openai.RateLimitError, match="cooling down") as second:
        await chatting.chat.completions.create(model=model, messages=PING, stream=streamed)

    assert first.value.status_code == (429 if streamed else 500)
    assert 0 < int(second.value.response.headers["retry-after"]) <= 60


async def test_a_wrong_client_key_is_an_error_both_libraries_know(house: Walk) -> None:
    import anthropic
    import openai

    address = address_of(house)
    async with (
        openai.AsyncOpenAI(api_key="wrong", base_url=f"{address}/v1", max_retries=0) as chatting,
        anthropic.AsyncAnthropic(api_key="wrong", base_url=address, max_retries=0) as writing,
    ):
        with pytest.raises(openai.AuthenticationError):
            await chatting.chat.completions.create(model="ok-model", messages=PING)
        with pytest.raises(anthropic.AuthenticationError):
            await writing.messages.create(model=CLAUDE, max_tokens=8, messages=SUM)


async def test_who_names_no_address_is_stopped_at_the_stand_in_and_never_used_at_the_vendors(
    house: Walk, writing: anthropic.AsyncAnthropic
) -> None:
    entries = house.client.gateway("GET", "auth-files").body["files"]
    nowhere = {
        entry["auth_index"]
        for entry in entries
        if entry["provider"] == "claude" and not entry.get("base_url") and not entry["disabled"]
    }
    for index in nowhere:
        assert house.client.gateway("POST", "reset-quota", {"auth_index": index}).status == 200
    failures: set[str] = set()
    for _ in range(12):
        await writing.messages.create(model=CLAUDE, max_tokens=8, messages=SUM)
        # The service takes records from the queue, too: what is left of them shows why.
        records = house.client.gateway("GET", "usage-queue?count=1000").body
        failures |= {record["fail"]["body"] for record in records if record["auth_index"] in nowhere}

    after = house.client.gateway("GET", "auth-files").body["files"]
    assert {entry["status"] for entry in after if entry["auth_index"] in nowhere} == {"error"}
    assert failures <= {"the proxy could not be used"}
    assert len(nowhere) == 5
    assert counted(house.providers)[KEYS["claude-nowhere"]] == 0
