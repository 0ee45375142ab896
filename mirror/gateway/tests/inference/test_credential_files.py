"""Credential files serve inference with their access token."""

import hashlib
import json
from pathlib import Path

import pytest

from tests.inference.pools import CLIENT, pool, records


def file(kind: str, **fields: object) -> dict[str, str]:
    content = {"type": kind, "access_token": f"ok-token-{kind}", "email": f"{kind}@example.com", "base_url": "{url}"}
    return {f"{kind}.json": json.dumps(content | fields)}


@pytest.mark.parametrize(
    ("kind", "path", "body", "upstream_path"),
    [
        ("claude", "/v1/messages", {"model": "claude-x"}, "/v1/messages"),
        ("codex", "/v1/responses", {"model": "gpt-x"}, "/responses"),
        ("xai", "/v1/responses", {"model": "grok-x"}, "/responses"),
        ("kimi", "/v1/chat/completions", {"model": "kimi-x"}, "/chat/completions"),
    ],
)
async def test_a_file_serves_its_family_with_its_access_token(
    tmp_path: Path, kind: str, path: str, body: dict[str, object], upstream_path: str
) -> None:
    async with pool(tmp_path, "", files=file(kind)) as (served, upstream):
        assert (await served.request("POST", path, headers=CLIENT, json=body)).status == 200
        (seen,) = upstream.seen
        assert seen.path == upstream_path
        assert seen.headers["authorization"] == f"Bearer ok-token-{kind}"
        (record,) = await records(served)
        assert (record["auth_type"], record["source"]) == ("oauth", f"{kind}@example.com")
        assert record["access_token_sha256"] == hashlib.sha256(f"ok-token-{kind}".encode()).hexdigest()
        assert served.runtime.activity.totals(f"{kind}.json") == (1, 0)


async def test_a_claude_token_asks_for_the_beta_it_needs_beside_the_clients(tmp_path: Path) -> None:
    async with pool(tmp_path, "", files=file("claude")) as (served, upstream):
        headers = CLIENT | {"Anthropic-Beta": "mine", "Anthropic-Version": "2023-06-01"}
        await served.request("POST", "/v1/messages", headers=headers, json={"model": "claude-x"})
        assert upstream.seen[0].headers["anthropic-beta"] == "mine,oauth-2025-04-20"
        assert upstream.seen[0].headers["anthropic-version"] == "2023-06-01"


async def test_a_codex_token_says_whose_account_it_is(tmp_path: Path) -> None:
    async with pool(tmp_path, "", files=file("codex", account_id="acc")) as (served, upstream):
        headers = CLIENT | {"Chatgpt-Account-Id": "forged"}
        await served.request("POST", "/v1/responses", headers=headers, json={"model": "gpt-x"})
        assert upstream.seen[0].headers["chatgpt-account-id"] == "acc"


async def test_a_new_token_is_used_at_once_although_the_old_one_was_refused(tmp_path: Path) -> None:
    async with pool(tmp_path, "", files=file("claude", access_token="s401-old")) as (served, upstream):
        body = {"model": "claude-x"}
        assert (await served.request("POST", "/v1/messages", headers=CLIENT, json=body)).status == 401
        assert (await served.request("POST", "/v1/messages", headers=CLIENT, json=body)).status == 429
        renewed = file("claude", access_token="ok-new")["claude.json"].replace("{url}", upstream.url)
        (tmp_path / "auths" / "claude.json").write_text(renewed)
        await served.runtime.reload()
        assert (await served.request("POST", "/v1/messages", headers=CLIENT, json=body)).status == 200


async def test_a_disabled_file_is_not_used_until_it_is_enabled(tmp_path: Path) -> None:
    async with pool(tmp_path, "", files=file("claude", disabled=True)) as (served, upstream):
        body = {"model": "claude-x"}
        assert (await served.request("POST", "/v1/messages", headers=CLIENT, json=body)).status == 400
        change = {"name": "claude.json", "disabled": False}
        await served.request("PATCH", "/v0/management/auth-files/status", json=change)
        assert (await served.request("POST", "/v1/messages", headers=CLIENT, json=body)).status == 200
        await served.request("DELETE", "/v0/management/auth-files?name=claude.json")
        assert (await served.request("POST", "/v1/messages", headers=CLIENT, json=body)).status == 400
        assert len(upstream.seen) == 1
