"""Credential files by their type, and the fields they may have."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.rules import row, rule
from tests.conformance.stock import ask, stock
from tests.inference.pools import CLIENT, pool, records

STOCK = "management-profile: stock\n"


def file(kind: str, **fields: object) -> dict[str, str]:
    content = {"type": kind, "access_token": "ok-token", "email": "a@b.c", "base_url": "{url}"}
    return {f"{kind}-a.json": json.dumps(content | fields)}


@pytest.mark.parametrize(
    ("kind", "path", "model"),
    [
        row("file.claude record.source record.auth-type", "claude", "/v1/messages", "claude-x"),
        row("file.codex record.token-hash", "codex", "/v1/responses", "gpt-x"),
        row("file.kimi", "kimi", "/v1/chat/completions", "kimi-x"),
        row("file.xai", "xai", "/v1/responses", "grok-x"),
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
        row("file.antigravity", "antigravity", {"project_id": "p", "expired": "2030-01-01T00:00:00Z"}, "p"),
        row("file.vertex", "vertex", {"project_id": "p", "service_account": {"project_id": "p"}, "location": "l"}, "p"),
        row("file.others", "qwen", {}, None),
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


@rule("file.unknown-kept")
async def test_unknown_fields_of_a_file_are_kept_through_every_change(tmp_path: Path) -> None:
    async with stock(tmp_path, files=file("claude", mine={"z": [1, {"a": None}]})) as served:
        name = "claude-a.json"
        await ask(served, "PATCH auth-files/status", {"name": name, "disabled": True})
        await ask(served, "PATCH auth-files/fields", {"name": name, "note": "x"})
        raw = (tmp_path / "auths" / name).read_bytes()
        await ask(served, f"POST auth-files?name={name}", raw=raw)
        assert json.loads((tmp_path / "auths" / name).read_text())["mine"] == {"z": [1, {"a": None}]}


@pytest.mark.parametrize(
    ("fields", "entry"),
    [
        row("file-field.disabled", {"disabled": "true"}, {"disabled": False}),
        row("file-field.disabled", {"disabled": True}, {"disabled": True}),
        row("file-field.priority entry.priority", {"priority": "5"}, {"priority": 5}),
        row("file-field.priority entry.priority", {"priority": 5}, {"priority": 5}),
        row("file-field.weight", {"weight": 0}, {"weight": 0}),
        row("file-field.weight", {"weight": " +7 "}, {"weight": 7}),
        row("file-field.weight", {"weight": ""}, {"weight": 1}),
        row("file-field.weight", {"weight": 2.0}, {"weight": 2}),
        row("file-field.note entry.note", {"note": " n "}, {"note": "n"}),
        row("file-field.websockets", {"websockets": False}, {"websockets": False}),
        row("file-field.request-retry", {"request_retry": 1}, {"request_retry": 1}),
        row("file-field.request-retry file-field.aliases", {"request-retry": 1}, {"request_retry": 1}),
        row("file-field.label", {"email": "x@y.z"}, {"email": "x@y.z", "label": "x@y.z", "account": "x@y.z"}),
        row("file-field.label", {"project_id": "p"}, {"project_id": "p"}),
    ],
)
async def test_a_field_of_a_file_is_shown(tmp_path: Path, fields: dict[str, object], entry: dict[str, object]) -> None:
    async with stock(tmp_path, files=file("claude", **fields)) as served:
        listed: Any = (await ask(served, "GET auth-files")).json
    (only,) = listed["files"]
    assert {name: only[name] for name in entry} == entry


@rule("file-field.excluded-models", "file-field.headers", "file-field.prefix")
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


@rule("file-field.disable-cooling")
@pytest.mark.parametrize(("fields", "asked"), [({}, 1), ({"disable_cooling": True}, 2), ({"disable-cooling": True}, 2)])
async def test_a_file_may_say_that_it_is_never_left_alone(
    tmp_path: Path, fields: dict[str, object], asked: int
) -> None:
    files = file("claude", access_token="s403-token", **fields)
    async with pool(tmp_path, "", files=files, rest=STOCK) as (served, upstream):
        for _ in range(2):
            await served.request("POST", "/v1/messages", headers=CLIENT, json={"model": "claude-x"})
    assert len(upstream.seen) == asked
