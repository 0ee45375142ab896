"""The counters of API keys, and resetting a quota."""

from pathlib import Path
from typing import Any

import pytest

from tests.conformance.pools import FILES, KINDS
from tests.conformance.rules import row, rule
from tests.conformance.stock import ask, stock
from tests.conformance.usage_pool import chat, pool
from tests.inference.pools import CLIENT, compat, key_section


@rule("key-usage.shape", "key-usage.provider")
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


@rule("key-usage.merged")
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


@rule("quota.ok")
async def test_a_reset_ends_the_cool_down_of_a_credential(tmp_path: Path) -> None:
    async with pool(tmp_path, "openai-compatibility:\n" + compat("{url}", "s401-x")) as (served, upstream):
        await chat(served)
        index = served.runtime.snapshot.credentials[0].auth_index
        answer = await served.request("POST", "/v0/management/reset-quota", json={"auth_index": index})
        assert answer.json == {"auth_index": index, "models": ["demo-model"], "status": "ok"}
        await chat(served)
        assert len(upstream.seen) == 2


@rule("quota.ok")
async def test_a_reset_of_what_was_never_used_has_nothing_to_forget(tmp_path: Path) -> None:
    async with pool(tmp_path) as (served, _):
        index = served.runtime.snapshot.credentials[0].auth_index
        answer = await served.request("POST", "/v0/management/reset-quota", json={"auth_index": index})
        assert answer.json == {"auth_index": index, "models": None, "status": "ok"}


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        row("quota.unreadable", b"{", 400, "invalid request body"),
        row("quota.indexless", b"{}", 400, "auth_index is required"),
        row("quota.unknown", b'{"auth_index": "ffffffffffffffff"}', 404, "auth not found"),
    ],
)
async def test_a_reset_needs_a_credential(tmp_path: Path, body: bytes, status: int, error: str) -> None:
    async with pool(tmp_path) as (served, _):
        answer = await served.request("POST", "/v0/management/reset-quota", data=body)
        assert (answer.status, answer.json) == (status, {"error": error})


@rule("key-usage.api-keys")
async def test_files_have_no_counters_of_keys(tmp_path: Path) -> None:
    async with stock(tmp_path, KINDS, files=FILES) as served:
        usage: Any = (await ask(served, "GET api-key-usage")).json
    assert list(usage) == ["claude", "codex", "gemini", "gemini-interactions", "openrouter", "vertex", "xai"]
