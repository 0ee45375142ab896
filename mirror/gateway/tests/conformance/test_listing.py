"""GET /auth-files: what is listed, and each field of an entry."""

import base64
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.pools import CLAUDE, FILES, KINDS
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


async def test_files_are_listed_sorted_by_lower_case_name(tmp_path: Path) -> None:
    async with stock(tmp_path, KINDS, files=FILES) as served:
        everything = await names(served)
        assert await names(served, "?limit=1&page=2&provider=codex") == everything
    assert everything == [NAME, "Codex-z@b.c.json", "vertex-p.json"]


async def test_an_empty_pool_is_an_empty_list(tmp_path: Path) -> None:
    async with stock(tmp_path, KINDS) as served:
        assert (await ask(served, "GET auth-files")).body == b'{"files":[]}'


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?name=%20claude-a@b.c.json%20", [NAME]),
        ("?name=Claude-a@b.c.json", []),
        ("?name=", [NAME, "Codex-z@b.c.json", "vertex-p.json"]),
        ("?auth_index=%20{index}%20", [NAME]),
        ("?auth_index=ffffffffffffffff", []),
        ("?auth_index={index}&name=claude-a@b.c.json", [NAME]),
        ("?auth_index={index}&name=vertex-p.json", []),
    ],
)
async def test_a_filter_selects_and_none_is_found_without_an_error(
    tmp_path: Path, query: str, found: list[str]
) -> None:
    async with stock(tmp_path, KINDS, files=FILES) as served:
        credential = served.runtime.snapshot.by_id(NAME)
        assert credential is not None
        assert await names(served, query.replace("{index}", credential.auth_index)) == found


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
        ("id", NAME),
        ("name", NAME),
        ("type", "codex"),
        ("provider", "codex"),
        ("label", "a@b.c"),
        ("status", "active"),
        ("status_message", ""),
        ("disabled", False),
        ("unavailable", False),
        ("runtime_only", False),
        ("source", "file"),
        ("size", len(json.dumps(FULL))),
        ("success", 0),
        ("failed", 0),
        ("email", "a@b.c"),
        ("project_id", "p-1"),
        ("account_type", "oauth"),
        ("account", "a@b.c"),
        ("last_refresh", "2026-08-22T10:00:00Z"),
        ("path", "{folder}/auths/claude-a@b.c.json"),
        ("priority", 7),
        ("note", "mine"),
        ("weight", 3),
        ("websockets", True),
        ("request_retry", 0),
        (
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
        ({"type": "kimi"}, "label", "kimi"),
        ({"type": "kimi", "disabled": True}, "status", "disabled"),
        ({"type": "claude", "id_token": FULL["id_token"]}, "id_token", None),
        ({"type": "kimi", "request_retry": -1}, "request_retry", None),
    ],
)
async def test_a_field_depends_on_the_file(tmp_path: Path, content: object, field: str, value: object) -> None:
    async with stock(tmp_path, files={"a.json": json.dumps(content)}) as served:
        (entry,) = await listed(served)
    assert entry.get(field) == value


async def test_a_path_is_relative_where_auth_dir_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with stock(tmp_path, files=FILES) as served:
        path = served.runtime.config_path
        path.write_text(path.read_text().replace(f'"{tmp_path}/auths"', '"./auths"'))
        await served.runtime.reload()
        assert (await listed(served))[0]["path"] == f"auths/{NAME}"


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
