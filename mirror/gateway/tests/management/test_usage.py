"""Sections 6.9, 6.10, 4.8 and 4.9 of the stock gateway's management API: usage records, counters, quota."""

from pathlib import Path

import pytest

from tests.inference.pools import CHAT, CLIENT, compat, key_section, pool, records
from tests.management.serving import Served

QUEUE = "/v0/management/usage-queue"
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


async def chat(served: Served, **more: object) -> None:
    await served.request("POST", "/v1/chat/completions", headers=CLIENT, json=CHAT | more)


async def test_a_record_has_the_stock_fields_in_the_stock_order(tmp_path: Path) -> None:
    async with pool(tmp_path) as (served, _):
        headers = CLIENT | {"User-Agent": "test/1", "X-Forwarded-For": "1.2.3.4"}
        body = CHAT | {"reasoning_effort": "low", "service_tier": "flex", "generate": False}
        await served.request("POST", "/v1/chat/completions", headers=headers, json=body)
        (record,) = await records(served)
        assert list(record) == FIELDS
        index = served.runtime.snapshot.credentials[0].auth_index
        expected = {
            "source": "ok-solo-1",
            "auth_index": index,
            "client_ip": "127.0.0.1",
            "x_forwarded_for": "1.2.3.4",
            "user_agent": "test/1",
            "failed": False,
            "generate": False,
            "fail": {"status_code": 200, "body": ""},
            "accounting_version": 2,
            "provider": "openai-compatible-solo",
            "executor_type": "OpenAICompatExecutor",
            "model": "demo-model",
            "alias": "demo-model",
            "endpoint": "POST /v1/chat/completions",
            "auth_type": "apikey",
            "api_key": "client-key-1",
            "reasoning_effort": "low",
            "service_tier": "flex",
            "token_breakdown": {
                "schema_version": 2,
                "quality": "complete",
                "total_tokens": 7,
                "input": {
                    "total_tokens": 5,
                    "uncached_tokens": 5,
                    "cache_read_tokens": 0,
                    "cache_write_tokens": 0,
                },
                "output": {"total_tokens": 2, "non_reasoning_tokens": 2, "reasoning_tokens": 0},
                "unclassified_tokens": 0,
            },
        }
        assert {name: record[name] for name in expected} == expected
        assert isinstance(record["response_headers"], dict)
        assert record["response_headers"]["Content-Type"] == ["application/json; charset=utf-8"]
        assert isinstance(record["request_id"], str)
        assert len(record["request_id"]) == 8


async def test_the_endpoint_of_a_gemini_call_is_the_stock_pattern(tmp_path: Path) -> None:
    async with pool(tmp_path, key_section("gemini-api-key", "{url}", ["ok-1"], "gemini-demo")) as (served, _):
        await served.request("POST", "/v1beta/models/gemini-demo:generateContent", headers=CLIENT, json={})
        assert (await records(served))[0]["endpoint"] == "POST /v1beta/models/*action"


async def test_the_queue_hands_out_one_record_unless_told_otherwise_and_keeps_none(tmp_path: Path) -> None:
    async with pool(tmp_path) as (served, _):
        for _ in range(4):
            await chat(served)
        sizes = []
        for query in ("", "?count=2", "?count=5", ""):
            answer = await served.request("GET", QUEUE + query)
            assert isinstance(answer.json, list)
            sizes.append(len(answer.json))
        assert sizes == [1, 2, 1, 0]


@pytest.mark.parametrize("count", ["x", "0", "-1", "1.5", "%20", "99999999999999999999"])
async def test_a_count_that_is_none_is_refused(tmp_path: Path, count: str) -> None:
    async with pool(tmp_path) as (served, _):
        answer = await served.request("GET", f"{QUEUE}?count={count}")
        assert (answer.status, answer.json) == (400, {"error": "count must be a positive integer"})


async def test_turning_the_statistics_off_empties_the_queue(tmp_path: Path) -> None:
    async with pool(tmp_path) as (served, _):
        await chat(served)
        path = "/v0/management/usage-statistics-enabled"
        for on in (False, True):
            answer = await served.request("PUT", path, json={"value": on})
            assert (answer.status, answer.json) == (200, {"status": "ok"})
            assert (await served.request("GET", path)).json == {"usage-statistics-enabled": on}
        assert await records(served) == []
        await chat(served)
        assert len(await records(served)) == 1


async def test_without_a_management_interface_no_records_are_kept(tmp_path: Path) -> None:
    async with pool(tmp_path) as (served, _):
        await chat(served)
        text = served.runtime.text
        (tmp_path / "config.yaml").write_text(
            text[: text.index("remote-management")] + "usage-statistics-enabled: true\n"
        )
        await served.runtime.reload()
        assert served.runtime.traffic.usage.enabled is False
        assert served.runtime.traffic.usage.pop(5) == ()


async def test_counters_are_kept_by_provider_base_address_and_key(tmp_path: Path) -> None:
    text = "openai-compatibility:\n" + compat("{url}", "ok-1", "s401-2", name="Duo")
    text += key_section("gemini-api-key", "{url}", ["ok-idle"], "gemini-demo")
    async with pool(tmp_path, text) as (served, upstream):
        for _ in range(2):
            await chat(served)
        answer = await served.request("GET", "/v0/management/api-key-usage")
        assert isinstance(answer.json, dict)
        assert list(answer.json) == ["duo", "gemini"]
        duo = answer.json["duo"]
        good = duo[f"{upstream.url}/v1|ok-1"]
        assert (good["success"], good["failed"]) == (2, 0)
        assert len(good["recent_requests"]) == 20
        assert good["recent_requests"][-1]["success"] == 2
        assert duo[f"{upstream.url}/v1|s401-2"]["failed"] == upstream.keys.count("s401-2")
        assert answer.json["gemini"][f"{upstream.url}|ok-idle"]["success"] == 0


async def test_a_key_that_stands_twice_is_counted_together(tmp_path: Path) -> None:
    text = "claude-api-key:\n" + 2 * "  - api-key: ok-1\n    base-url: {url}\n    prefix: {p}\n"
    text = text.replace("{p}", "a", 1).replace("{p}", "b", 1)
    async with pool(tmp_path, text) as (served, upstream):
        for model in ("a/claude-x", "b/claude-x"):
            await served.request("POST", "/v1/messages", headers=CLIENT, json={"model": model})
        answer = await served.request("GET", "/v0/management/api-key-usage")
        assert isinstance(answer.json, dict)
        (only,) = answer.json["claude"].values()
        assert only["success"] == 2
        assert only["recent_requests"][-1]["success"] == 2
        assert len(upstream.seen) == 2


async def test_a_reset_ends_the_cool_down_of_a_credential(tmp_path: Path) -> None:
    async with pool(tmp_path, "openai-compatibility:\n" + compat("{url}", "s401-x")) as (served, upstream):
        await chat(served)
        index = served.runtime.snapshot.credentials[0].auth_index
        answer = await served.request("POST", "/v0/management/reset-quota", json={"auth_index": index})
        assert answer.json == {"auth_index": index, "models": ["demo-model"], "status": "ok"}
        await chat(served)
        assert len(upstream.seen) == 2


async def test_a_reset_of_what_was_never_used_has_nothing_to_forget(tmp_path: Path) -> None:
    async with pool(tmp_path) as (served, _):
        index = served.runtime.snapshot.credentials[0].auth_index
        answer = await served.request("POST", "/v0/management/reset-quota", json={"auth_index": index})
        assert answer.json == {"auth_index": index, "models": None, "status": "ok"}


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        (b"{", 400, "invalid request body"),
        (b"{}", 400, "auth_index is required"),
        (b'{"auth_index": "ffffffffffffffff"}', 404, "auth not found"),
    ],
)
async def test_a_reset_needs_a_credential(tmp_path: Path, body: bytes, status: int, error: str) -> None:
    async with pool(tmp_path) as (served, _):
        answer = await served.request("POST", "/v0/management/reset-quota", data=body)
        assert (answer.status, answer.json) == (status, {"error": error})


async def test_the_retention_follows_the_configuration(tmp_path: Path) -> None:
    async with pool(tmp_path, rest="redis-usage-queue-retention-seconds: 7200\n") as (served, _):
        assert served.runtime.traffic.usage._retention == 3600
