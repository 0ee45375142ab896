"""GET /auth-files: what is listed, and each field of an entry."""

import base64
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.pools import CLAUDE, FILES, KINDS
from tests.conformance.rules import row, rule
from tests.conformance.stock import ask, stock
from tests.inference.pools import CLIENT, pool
from tests.management.serving import Served

NAME = "claude-a@b.c.json"


async def listed(served: Served, query: str = "") -> list[dict[str, Any]]:
    got: Any = (await ask(served, f"GET auth-files{query}")).json
    assert got.keys() == {"files"}
    return list(got["files"])


async def names(served: Served, query: str = "") -> list[str]:
    return [entry["name"] for entry in await listed(served, query)]


@rule("listing.sorted", "listing.envelope", "listed.oauth", "listed.service-account", "listing.keys-hidden")
async def test_files_are_listed_sorted_by_lower_case_name(tmp_path: Path) -> None:
    async with stock(tmp_path, KINDS, files=FILES) as served:
        everything = await names(served)
        assert await names(served, "?limit=1&page=2&provider=codex") == everything
    assert everything == [NAME, "Codex-z@b.c.json", "vertex-p.json"]


@rule("listing.envelope")
async def test_an_empty_pool_is_an_empty_list(tmp_path: Path) -> None:
    async with stock(tmp_path, KINDS) as served:
        assert (await ask(served, "GET auth-files")).body == b'{"files":[]}'


@pytest.mark.parametrize(
    ("query", "found"),
    [
        row("listing.name", "?name=%20claude-a@b.c.json%20", [NAME]),
        row("listing.name", "?name=Claude-a@b.c.json", []),
        row("listing.name", "?name=", [NAME, "Codex-z@b.c.json", "vertex-p.json"]),
        row("listing.index", "?auth_index=%20{index}%20", [NAME]),
        row("listing.index", "?auth_index=ffffffffffffffff", []),
        row("listing.both", "?auth_index={index}&name=claude-a@b.c.json", [NAME]),
        row("listing.both", "?auth_index={index}&name=vertex-p.json", []),
    ],
)
async def test_a_filter_selects_and_none_is_found_without_an_error(
    tmp_path: Path, query: str, found: list[str]
) -> None:
    async with stock(tmp_path, KINDS, files=FILES) as served:
        credential = served.runtime.snapshot.by_id(NAME)
        assert credential is not None
        assert await names(served, query.replace("{index}", credential.auth_index)) == found


@pytest.mark.parametrize(
    ("provider", "key"),
    [
        row("listed.gemini", "gemini", "AIza-test"),
        row("listed.interactions", "gemini-interactions", "inter-1"),
        row("listed.claude", "claude", "sk-test"),
        row("listed.codex", "codex", "sk-c"),
        row("listed.xai", "xai", "xai-1"),
        row("listed.compat", "openai-compatible-openrouter", "sk-or-1"),
        row("listed.keyless", "openai-compatible-local", ""),
        row("listed.vertex", "vertex", "vk-1"),
    ],
)
async def test_a_configured_key_is_in_the_pool_and_not_in_the_list(tmp_path: Path, provider: str, key: str) -> None:
    async with stock(tmp_path, KINDS, files=FILES) as served:
        pool = served.runtime.snapshot.credentials
        (credential,) = [each for each in pool if (each.provider, each.api_key) == (provider, key) and not each.is_file]
        assert await names(served, f"?name={credential.id}") == []
        assert await names(served, f"?auth_index={credential.auth_index}") == []


def encoded(claims: object) -> str:
    return f"h.{base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip('=')}.s"


FULL = CLAUDE | {
    "type": "codex",
    "project_id": "p-1",
    "last_refresh": "2026-08-22T10:00:00Z",
    "priority": "7",
    "note": "mine",
    "weight": 3,
    "websockets": True,
    "request_retry": 0,
    "prefix": "team",
    "proxy_url": "direct",
    "headers": {"a": "b"},
    "excluded_models": ["x"],
    "expired": "2026-08-22T10:00:00Z",
    "id_token": encoded(
        {
            "https://api.openai.com/auth": {
                "chatgpt_account_id": "acc",
                "chatgpt_plan_type": "plus",
                "chatgpt_subscription_active_start": "2026-01-01",
                "chatgpt_subscription_active_until": "2026-12-31",
                "other": 1,
            }
        }
    ),
}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        row("entry.id", "id", NAME),
        row("entry.name", "name", NAME),
        row("entry.type", "type", "codex"),
        row("entry.type", "provider", "codex"),
        row("entry.label", "label", "a@b.c"),
        row("entry.status", "status", "active"),
        row("entry.status-message", "status_message", ""),
        row("entry.disabled", "disabled", False),
        row("entry.unavailable", "unavailable", False),
        row("entry.runtime-only", "runtime_only", False),
        row("entry.source", "source", "file"),
        row("entry.size", "size", len(json.dumps(FULL))),
        row("entry.counters", "success", 0),
        row("entry.counters", "failed", 0),
        row("entry.email", "email", "a@b.c"),
        row("entry.project-id", "project_id", "p-1"),
        row("entry.account-type", "account_type", "oauth"),
        row("entry.account", "account", "a@b.c"),
        row("entry.last-refresh", "last_refresh", "2026-08-22T10:00:00Z"),
        row("entry.path", "path", "{folder}/auths/claude-a@b.c.json"),
        row("entry.priority", "priority", 7),
        row("entry.note", "note", "mine"),
        row("entry.weight", "weight", 3),
        row("entry.websockets", "websockets", True),
        row("entry.request-retry", "request_retry", 0),
        row(
            "entry.id-token file.codex",
            "id_token",
            {
                "chatgpt_account_id": "acc",
                "plan_type": "plus",
                "chatgpt_subscription_active_start": "2026-01-01",
                "chatgpt_subscription_active_until": "2026-12-31",
            },
        ),
    ],
)
async def test_an_entry_shows_the_file(tmp_path: Path, field: str, value: object) -> None:
    async with stock(tmp_path, files={NAME: json.dumps(FULL)}) as served:
        (entry,) = await listed(served)
    assert entry[field] == (value.replace("{folder}", str(tmp_path)) if isinstance(value, str) else value)


@rule("entry.order", "entry.nothing-else", "entry.recent", "entry.auth-index", "entry.times")
async def test_an_entry_has_these_fields_in_this_order_and_no_others(tmp_path: Path) -> None:
    async with stock(tmp_path, files={NAME: json.dumps(FULL), "kimi-1.json": '{"type": "kimi"}'}) as served:
        modified = datetime.fromtimestamp((tmp_path / "auths" / NAME).stat().st_mtime, UTC)
        full, bare = await listed(served)
    always = {
        *("account_type", "auth_index", "created_at", "disabled", "failed", "id", "label", "modtime", "name", "path"),
        *("provider", "recent_requests", "runtime_only", "size", "source", "status", "status_message", "success"),
        *("type", "unavailable", "updated_at"),
    }
    optional = {"account", "email", "id_token", "last_refresh", "note", "priority", "project_id", "request_retry"}
    assert bare.keys() == always
    assert full.keys() == always | optional | {"websockets", "weight"}
    assert list(full) == sorted(full)
    assert (len(full["auth_index"]), len(full["recent_requests"])) == (16, 20)
    assert set(full["recent_requests"][0]) == {"time", "success", "failed"}
    assert abs((datetime.fromisoformat(full["modtime"]) - modified).total_seconds()) < 1


@pytest.mark.parametrize(
    ("content", "field", "value"),
    [
        row("entry.label", {"type": "kimi"}, "label", "kimi"),
        row("entry.status", {"type": "kimi", "disabled": True}, "status", "disabled"),
        row("entry.id-token", {"type": "claude", "id_token": FULL["id_token"]}, "id_token", None),
        row("entry.request-retry", {"type": "kimi", "request_retry": -1}, "request_retry", None),
    ],
)
async def test_a_field_depends_on_the_file(tmp_path: Path, content: object, field: str, value: object) -> None:
    async with stock(tmp_path, files={"a.json": json.dumps(content)}) as served:
        (entry,) = await listed(served)
    assert entry.get(field) == value


@rule("entry.path")
async def test_a_path_is_relative_where_auth_dir_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with stock(tmp_path, files=FILES) as served:
        path = served.runtime.config_path
        path.write_text(path.read_text().replace(f'"{tmp_path}/auths"', '"./auths"'))
        await served.runtime.reload()
        assert (await listed(served))[0]["path"] == f"auths/{NAME}"


@rule("entry.name")
async def test_a_file_has_the_same_name_right_after_its_upload(tmp_path: Path) -> None:
    async with stock(tmp_path) as served:
        await ask(served, "POST auth-files?name=a.json", raw=json.dumps(CLAUDE).encode())
        before = await names(served)
        await served.runtime.reload()
        assert before == await names(served) == ["a.json"]


@rule("entry.counters", "entry.unavailable", "entry.next-retry", "entry.status-message", "entry.status")
async def test_an_entry_counts_and_says_that_it_is_left_alone_and_until_when(tmp_path: Path) -> None:
    files = {"claude-a.json": json.dumps(CLAUDE | {"access_token": "s401-file", "base_url": "{url}"})}
    async with pool(tmp_path, "", files=files, rest="management-profile: stock\n") as (served, _):
        body = {"model": "claude-demo", "messages": []}
        await served.request("POST", "/v1/messages", headers=CLIENT, json=body)
        (entry,) = await listed(served)
    assert (entry["success"], entry["failed"]) == (0, 1)
    assert entry["recent_requests"][-1]["failed"] == 1
    assert (entry["status"], entry["unavailable"]) == ("error", True)
    assert entry["status_message"]
    assert datetime.fromisoformat(entry["next_retry_after"]) > datetime.now(UTC)
