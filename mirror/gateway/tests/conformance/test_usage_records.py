"""The records of the usage queue, field by field."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.usage_pool import chat, pool
from tests.inference.pools import CHAT, CLIENT, compat, key_section, records
from tests.management.serving import Served

FIELDS = [
    "timestamp",
    "latency_ms",
    "ttft_ms",
    "source",
    "auth_index",
    "client_ip",
    "x_forwarded_for",
    "user_agent",
    "tokens",
    "failed",
    "generate",
    "fail",
    "response_headers",
    "accounting_version",
    "token_breakdown",
    "provider",
    "executor_type",
    "model",
    "alias",
    "endpoint",
    "auth_type",
    "api_key",
    "request_id",
    "reasoning_effort",
    "service_tier",
]
TOKENS = {
    "input_tokens": 5,
    "output_tokens": 2,
    "reasoning_tokens": 0,
    "cached_tokens": 0,
    "cache_read_tokens": 0,
    "cache_read_tokens_present": True,
    "cache_creation_tokens": 0,
    "total_tokens": 7,
}
BREAKDOWN = {
    "schema_version": 2,
    "quality": "complete",
    "total_tokens": 7,
    "input": {"total_tokens": 5, "uncached_tokens": 5, "cache_read_tokens": 0, "cache_write_tokens": 0},
    "output": {"total_tokens": 2, "non_reasoning_tokens": 2, "reasoning_tokens": 0},
    "unclassified_tokens": 0,
}


async def recorded(served: Served) -> dict[str, Any]:
    """Make one request that says everything there is to say, and return its record."""
    headers = CLIENT | {"User-Agent": "test/1", "X-Forwarded-For": "1.2.3.4"}
    body = CHAT | {"reasoning_effort": "low", "service_tier": "flex", "generate": False}
    await served.request("POST", "/v1/chat/completions", headers=headers, json=body)
    (record,) = await records(served)
    return record


async def test_a_record_has_these_fields_in_this_order(tmp_path: Path) -> None:
    async with pool(tmp_path) as (served, _):
        assert list(await recorded(served)) == FIELDS


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("source", "ok-solo-1"),
        ("client_ip", "127.0.0.1"),
        ("x_forwarded_for", "1.2.3.4"),
        ("user_agent", "test/1"),
        ("tokens", TOKENS),
        ("failed", False),
        ("generate", False),
        ("fail", {"status_code": 200, "body": ""}),
        ("accounting_version", 2),
        ("token_breakdown", BREAKDOWN),
        ("provider", "openai-compatible-solo"),
        ("executor_type", "OpenAICompatExecutor"),
        ("model", "up-model"),
        ("alias", "demo-model"),
        ("endpoint", "POST /v1/chat/completions"),
        ("auth_type", "apikey"),
        ("api_key", "client-key-1"),
        ("reasoning_effort", "low"),
        ("service_tier", "flex"),
    ],
)
async def test_a_record_says(tmp_path: Path, field: str, value: object) -> None:
    text = "openai-compatibility:\n" + compat("{url}", "ok-solo-1", upstream="up-model")
    async with pool(tmp_path, text) as (served, _):
        assert (await recorded(served))[field] == value


async def test_a_record_says_when_how_long_by_whom_and_what_came_back(tmp_path: Path) -> None:
    async with pool(tmp_path) as (served, _):
        before = datetime.now(UTC)
        record = await recorded(served)
        after = datetime.now(UTC)
        assert record["auth_index"] == served.runtime.snapshot.credentials[0].auth_index
    assert before <= datetime.fromisoformat(record["timestamp"]) <= after
    assert 0 <= record["ttft_ms"] <= record["latency_ms"] <= (after - before).total_seconds() * 1000 + 1
    assert record["response_headers"]["Content-Type"] == ["application/json; charset=utf-8"]
    assert len(record["request_id"]) == 8
    assert int(record["request_id"], 16) >= 0


async def test_the_endpoint_of_a_gemini_call_is_the_stock_pattern(tmp_path: Path) -> None:
    async with pool(tmp_path, key_section("gemini-api-key", "{url}", ["ok-1"], "gemini-demo")) as (served, _):
        await served.request("POST", "/v1beta/models/gemini-demo:generateContent", headers=CLIENT, json={})
        assert (await records(served))[0]["endpoint"] == "POST /v1beta/models/*action"


async def test_each_attempt_leaves_a_record_and_a_failed_one_says_how(tmp_path: Path) -> None:
    text = "openai-compatibility:\n" + compat("{url}", "s401-x", "s500-y")
    async with pool(tmp_path, text) as (served, _):
        await chat(served)
        taken = await records(served)
    assert len({str(record["request_id"]) for record in taken}) == 1
    assert len(str(taken[0]["request_id"])) == 8
    failures = {str(record["source"]): record["fail"] for record in taken}
    assert failures.keys() == {"s401-x", "s500-y"}
    body = '{"error": {"message": "labelled 401 for s401-x", "type": "error", "code": "401"}}'
    assert failures["s401-x"] == {"status_code": 401, "body": body}
    assert [record["failed"] for record in taken] == [True, True]
