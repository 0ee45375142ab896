"""Credential files by their type, and the fields they may have."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.stock import ask, stock
from tests.inference.pools import CLIENT, pool, records

STOCK = "management-profile: stock\n"


def file(kind: str, **fields: object) -> dict[str, str]:
    content = {"type": kind, "access_token": "ok-token", "email": "a@b.c", "base_url": "{url}"}
    return {f"{kind}-a.json": json.dumps(content | fields)}


@pytest.mark.parametrize(
    ("kind", "path", "model"),
    [
        ("claude", "/v1/messages", "claude-x"),
        ("codex", "/v1/responses", "gpt-x"),
        ("kimi", "/v1/chat/completions", "kimi-x"),
        ("xai", "/v1/responses", "grok-x"),
    ],
)
async def test_a_file_is_listed_and_serves_its_family(tmp_path: Path, kind: str, path: str, model: str) -> None:
    async with pool(tmp_path, "", files=file(kind), rest=STOCK) as (served, upstream):
        listed: Any = (await ask(served, "GET auth-files")).json
        assert (await served.request("POST", path, headers=CLIENT, json={"model": model})).status == 200
        (record,) = await records(served)
    assert [(entry["type"], entry["email"]) for entry in listed["files"]] == [(kind, "a@b.c")]
    assert upstream.seen[0].headers["authorization"] == "Bearer ok-token"
    assert (record["auth_type"], record["source"], record["provider"]) == ("oauth", "a@b.c", kind)
    assert record["access_token_sha256"] == hashlib.sha256(b"ok-token").hexdigest()


@pytest.mark.parametrize(
    ("kind", "fields", "shown"),
    [
        ("antigravity", {"project_id": "p", "expired": "2030-01-01T00:00:00Z"}, "p"),
        ("vertex", {"project_id": "p", "service_account": {"project_id": "p"}, "location": "l"}, "p"),
        ("qwen", {}, None),
    ],
)
async def test_a_file_of_any_type_is_listed_switched_and_keeps_its_fields(
    tmp_path: Path, kind: str, fields: dict[str, object], shown: str | None
) -> None:
    async with stock(tmp_path, files=file(kind, **fields)) as served:
        name = f"{kind}-a.json"
        await ask(served, "PATCH auth-files/status", {"name": name, "disabled": True})
        listed: Any = (await ask(served, "GET auth-files")).json
        content = json.loads((tmp_path / "auths" / name).read_text())
    (entry,) = listed["files"]
    assert (entry["type"], entry["disabled"], entry.get("project_id")) == (kind, True, shown)
    assert content == json.loads(file(kind, **fields)[name]) | {"disabled": True}


@pytest.mark.parametrize(
    ("fields", "entry"),
    [
        ({"disabled": "true"}, {"disabled": False}),
        ({"disabled": True}, {"disabled": True}),
        ({"priority": "5"}, {"priority": 5}),
        ({"priority": 5}, {"priority": 5}),
        ({"weight": 0}, {"weight": 0}),
        ({"weight": " +7 "}, {"weight": 7}),
        ({"weight": ""}, {"weight": 1}),
        ({"weight": 2.0}, {"weight": 2}),
        ({"note": " n "}, {"note": "n"}),
        ({"websockets": False}, {"websockets": False}),
        ({"request_retry": 1}, {"request_retry": 1}),
        ({"request-retry": 1}, {"request_retry": 1}),
        ({"email": "x@y.z"}, {"email": "x@y.z", "label": "x@y.z", "account": "x@y.z"}),
        ({"project_id": "p"}, {"project_id": "p"}),
    ],
)
async def test_a_field_of_a_file_is_shown(tmp_path: Path, fields: dict[str, object], entry: dict[str, object]) -> None:
    async with stock(tmp_path, files=file("claude", **fields)) as served:
        listed: Any = (await ask(served, "GET auth-files")).json
    (only,) = listed["files"]
    assert {name: only[name] for name in entry} == entry


async def test_fields_of_a_file_count_for_its_requests(tmp_path: Path) -> None:
    fields = {"excluded_models": ["claude-y"], "headers": {"X-Mine": "1"}, "prefix": "team"}
    async with pool(tmp_path, "", files=file("claude", **fields), rest=STOCK) as (served, upstream):
        statuses = [
            (await served.request("POST", "/v1/messages", headers=CLIENT, json={"model": model})).status
            for model in ("claude-x", "team/claude-x", "claude-y")
        ]
    assert statuses == [200, 200, 400]
    assert [seen.headers["x-mine"] for seen in upstream.seen] == ["1", "1"]
    assert [seen.body["model"] for seen in upstream.seen] == ["claude-x", "claude-x"]
