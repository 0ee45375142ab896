"""Each dialect through the gateway, whole and streamed, with what is noted about it."""

import json
from pathlib import Path

import pytest

from tests.inference.pools import CHAT, CLIENT, compat, key_section, pool, records
from tests.management.serving import Answer, Served

ALL = (
    "openai-compatibility:\n"
    + compat("{url}", "ok-solo-1")
    + key_section("claude-api-key", "{url}", ["ok-claude-1"], "claude-demo")
    + key_section("codex-api-key", "{url}", ["ok-codex-1"], "codex-demo")
    + key_section("gemini-api-key", "{url}", ["ok-gemini-1"], "gemini-demo")
    + key_section("vertex-api-key", "{url}", ["ok-vertex-1"], "vertex-demo")
    + key_section("xai-api-key", "{url}/v1", ["ok-xai-1"], "grok-demo")
)
ROWS = [
    ("/v1/chat/completions", CHAT, "/v1/chat/completions", "ok-solo-1", "OpenAICompatExecutor"),
    (
        "/v1/completions",
        {"model": "demo-model", "prompt": "hi"},
        "/v1/completions",
        "ok-solo-1",
        "OpenAICompatExecutor",
    ),
    ("/v1/responses", {"model": "codex-demo", "input": "hi"}, "/responses", "ok-codex-1", "CodexExecutor"),
    ("/v1/responses", {"model": "grok-demo", "input": "hi"}, "/v1/responses", "ok-xai-1", "XAIExecutor"),
    ("/v1/messages", {"model": "claude-demo", "messages": []}, "/v1/messages", "ok-claude-1", "ClaudeExecutor"),
    (
        "/v1beta/models/gemini-demo:generateContent",
        {"contents": []},
        "/v1beta/models/gemini-demo:generateContent",
        "ok-gemini-1",
        "GeminiExecutor",
    ),
    (
        "/v1beta/models/vertex-demo:generateContent",
        {"contents": []},
        "/v1/publishers/google/models/vertex-demo:generateContent",
        "ok-vertex-1",
        "GeminiVertexExecutor",
    ),
]
STREAMS = [
    ("/v1/chat/completions", CHAT | {"stream": True}),
    ("/v1/responses", {"model": "codex-demo", "input": "hi", "stream": True}),
    ("/v1/messages", {"model": "claude-demo", "messages": [], "stream": True}),
    ("/v1beta/models/gemini-demo:streamGenerateContent?alt=sse", {"contents": []}),
]


async def ask(served: Served, path: str, body: object) -> Answer:
    return await served.request("POST", path, headers=CLIENT, json=body)


@pytest.mark.parametrize("row", ROWS)
async def test_a_request_goes_as_it_is_to_the_family_that_speaks_its_dialect(
    tmp_path: Path, row: tuple[str, dict[str, object], str, str, str]
) -> None:
    path, body, upstream_path, key, executor = row
    async with pool(tmp_path, ALL) as (served, upstream):
        answer = await served.request("POST", path, headers=CLIENT, data=json.dumps(body, indent=1).encode())
        assert answer.status == 200
        assert answer.headers["content-type"].startswith("application/json")
        (seen,) = upstream.seen
        assert (seen.path, seen.key) == (upstream_path, key)
        assert seen.raw == json.dumps(body, indent=1).encode()
        (record,) = await records(served)
        assert record["executor_type"] == executor
        assert record["source"] == key
        assert record["tokens"] == {
            "input_tokens": 5,
            "output_tokens": 2,
            "reasoning_tokens": 0,
            "cached_tokens": 0,
            "cache_read_tokens": 0,
            "cache_read_tokens_present": True,
            "cache_creation_tokens": 0,
            "total_tokens": 7,
        }


@pytest.mark.parametrize(("path", "body"), STREAMS)
async def test_a_stream_comes_through_unchanged_and_its_usage_is_counted(
    tmp_path: Path, path: str, body: dict[str, object]
) -> None:
    async with pool(tmp_path, ALL) as (served, upstream):
        answer = await ask(served, path, body)
        assert answer.headers["content-type"] == "text/event-stream"
        assert b"Hel" in answer.body
        (record,) = await records(served)
        assert isinstance(record["tokens"], dict)
        assert record["tokens"]["total_tokens"] == 7
        assert record["failed"] is False
        assert upstream.seen[0].query == path.partition("?")[2]


@pytest.mark.parametrize(
    ("profile", "hour"), [("extended", {"cache_write_1h_tokens": 600}), ("stock", {})], ids=["extended", "stock"]
)
@pytest.mark.parametrize("streamed", [False, True])
async def test_tokens_written_to_a_cache_for_an_hour_are_told_apart_unless_the_profile_is_stock(
    tmp_path: Path, profile: str, hour: dict[str, int], *, streamed: bool
) -> None:
    text = key_section("claude-api-key", "{url}", ["ok-claude-1"], "claude-cached")
    async with pool(tmp_path, text, rest=f"management-profile: {profile}\n") as (served, _):
        await ask(served, "/v1/messages", {"model": "claude-cached", "messages": [], "stream": streamed})
        (record,) = await records(served)
        breakdown = record["token_breakdown"]
        assert isinstance(breakdown, dict)
        assert breakdown["input"] == {
            "total_tokens": 705,
            "uncached_tokens": 5,
            "cache_read_tokens": 0,
            "cache_write_tokens": 700,
            **hour,
        }


async def test_every_answer_says_which_credential_and_request_it_belongs_to(tmp_path: Path) -> None:
    async with pool(tmp_path) as (served, _):
        answer = await ask(served, "/v1/chat/completions", CHAT)
        (record,) = await records(served)
        moment, index, request_id = answer.headers["x-cpa-trace-id"].split("-")
        assert (index, request_id) == (record["auth_index"], record["request_id"])
        assert len(moment) == 14


async def test_the_usage_a_client_did_not_ask_for_is_asked_for_and_kept_from_it(tmp_path: Path) -> None:
    async with pool(tmp_path) as (served, upstream):
        answer = await ask(served, "/v1/chat/completions", CHAT | {"stream": True})
        assert upstream.seen[0].body["stream_options"] == {"include_usage": True}
        assert b'"usage"' not in answer.body
        assert answer.body.endswith(b"data: [DONE]\n\n")


async def test_the_usage_a_client_asked_for_is_passed_on(tmp_path: Path) -> None:
    async with pool(tmp_path) as (served, _):
        options = {"stream": True, "stream_options": {"include_usage": True}}
        answer = await ask(served, "/v1/chat/completions", CHAT | options)
        assert b'"choices": [], "usage"' in answer.body


async def test_an_alias_becomes_the_upstreams_name_and_the_answer_stays_as_it_is(tmp_path: Path) -> None:
    text = "openai-compatibility:\n" + compat("{url}", "ok-1", model="mine", upstream="theirs")
    async with pool(tmp_path, text) as (served, upstream):
        answer = await ask(served, "/v1/chat/completions", CHAT | {"model": "mine", "temperature": 0.5})
        assert upstream.seen[0].body == CHAT | {"model": "theirs", "temperature": 0.5}
        assert isinstance(answer.json, dict)
        assert answer.json["model"] == "theirs"
        (record,) = await records(served)
        assert (record["model"], record["alias"]) == ("theirs", "mine")


async def test_counting_tokens_leaves_no_usage_record(tmp_path: Path) -> None:
    async with pool(tmp_path, ALL) as (served, _):
        answer = await ask(served, "/v1/messages/count_tokens", {"model": "claude-demo", "messages": []})
        assert answer.json == {"input_tokens": 3}
        other = await ask(served, "/v1beta/models/gemini-demo:countTokens", {"contents": []})
        assert other.json == {"totalTokens": 3}
        assert await records(served) == []


async def test_an_unknown_call_of_a_model_is_not_found(tmp_path: Path) -> None:
    async with pool(tmp_path, ALL) as (served, upstream):
        assert (await ask(served, "/v1beta/models/gemini-demo:embedContent", {})).status == 404
        assert (await served.request("GET", "/v1beta/models/nobody", headers=CLIENT)).status == 404
        assert upstream.seen == []
