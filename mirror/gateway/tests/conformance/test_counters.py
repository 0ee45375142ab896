"""The counters of API keys, and resetting a quota."""

from pathlib import Path

import pytest

from tests.conformance.usage_pool import chat, pool
from tests.inference.pools import compat, key_section


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


async def test_a_reset_ends_the_cool_down_of_a_credential(tmp_path: Path) -> None:
    async with pool(tmp_path, "openai-compatibility:\n" + compat("{url}", "s401-x")) as (served, upstream):
        await chat(served)
        index = served.runtime.snapshot.credentials[0].auth_index
        answer = await served.request("POST", "/v0/management/reset-quota", json={"auth_index": index})
        assert answer.json == {"auth_index": index, "models": ["demo-model"], "status": "ok"}
        await chat(served)
        assert len(upstream.seen) == 2


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
