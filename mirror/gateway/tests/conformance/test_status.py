"""PATCH /auth-files/status."""

import json
from pathlib import Path
from typing import Any

import pytest

from gateway.internal.configuration.model import Profile
from tests.conformance.pools import FILES, KINDS
from tests.conformance.rules import row, rule
from tests.conformance.stock import ask, on_disk, stock
from tests.inference.pools import key_section, pool
from tests.management.serving import Served

STATUS = "PATCH auth-files/status"
NAME = "claude-a@b.c.json"
VIA = {"via": "config:excluded-models", "excluded_pattern": "*"}


def id_of(served: Served, api_key: str) -> str:
    return next(each.id for each in served.runtime.snapshot.credentials if each.api_key == api_key)


@pytest.mark.parametrize(
    ("body", "status", "text"),
    [
        row("toggle.unreadable", b"{nope", 400, "invalid request body"),
        row("toggle.unreadable", b'{"name":7,"disabled":true}', 400, "invalid request body"),
        row("toggle.unreadable", b'{"name":"x","disabled":"yes"}', 400, "invalid request body"),
        row("toggle.nameless", b'{"disabled":true}', 400, "name is required"),
        row("toggle.nameless", b'{"name":" ","disabled":true}', 400, "name is required"),
        row("toggle.nameless", b'{"auth_index":"b05dd67e136dc1c3","disabled":true}', 400, "name is required"),
        row("toggle.wishless", b'{"name":"x"}', 400, "disabled is required"),
        row("toggle.null", b'{"name":"x","disabled":null}', 400, "disabled is required"),
        row("toggle.unknown", b'{"name":"absent.json","disabled":true}', 404, "auth file not found"),
        row(
            "toggle.lookup",
            b'{"name":"claude-a@b.c.json","auth_index":"0000000000000000","disabled":true}',
            404,
            "auth file not found",
        ),
        row("toggle.base-name", b'{"name":"auths/claude-a@b.c.json","disabled":true}', 404, "auth file not found"),
        row(
            "toggle.compat",
            b'{"name":"openai-compatibility:openrouter:e61d0a8ce025","disabled":true}',
            404,
            "config api key entry not found",
        ),
    ],
)
async def test_a_status_change_that_cannot_be_made(tmp_path: Path, body: bytes, status: int, text: str) -> None:
    async with stock(tmp_path, KINDS, files=FILES) as served:
        before = served.runtime.config_path.read_text()
        got = await ask(served, STATUS, raw=body)
        assert served.runtime.config_path.read_text() == before
    assert (got.status, got.json) == (status, {"error": text})


@rule("toggle.lookup")
async def test_an_index_alone_is_no_name_in_the_stock_profile(tmp_path: Path) -> None:
    async with stock(tmp_path, KINDS, files=FILES) as served:
        got = await ask(served, STATUS, {"name": "b05dd67e136dc1c3", "disabled": True})
    assert (got.status, got.json) == (404, {"error": "auth file not found"})


@rule("toggle.file", "toggle.body", "toggle.file-memory")
async def test_a_file_is_switched_off_and_on_and_keeps_its_other_fields(tmp_path: Path) -> None:
    files = {NAME: json.dumps({"type": "claude", "unknown": {"z": 1, "a": 2}, "email": "a@b.c"})}
    async with stock(tmp_path, files=files) as served:
        (credential,) = served.runtime.snapshot.credentials
        for disabled, state in ((True, "disabled"), (False, "active")):
            body = {"name": f" {NAME} ", "auth_index": f" {credential.auth_index} ", "disabled": disabled}
            got = await ask(served, STATUS, body)
            assert (got.status, got.json) == (200, {"disabled": disabled, "status": "ok"})
            stored = json.loads((tmp_path / "auths" / NAME).read_text())
            assert stored == json.loads(files[NAME]) | {"disabled": disabled}
            listed: Any = (await ask(served, "GET auth-files")).json
            (entry,) = listed["files"]
            assert (entry["disabled"], entry["status"], entry["status_message"]) == (disabled, state, "")


@pytest.mark.parametrize(
    ("section", "key"),
    [
        row("toggle.gemini", "gemini-api-key", "AIza-test"),
        row("toggle.interactions", "interactions-api-key", "inter-1"),
        row("toggle.claude", "claude-api-key", "sk-test"),
        row("toggle.codex", "codex-api-key", "sk-c"),
        row("toggle.xai", "xai-api-key", "xai-1"),
        row("toggle.vertex", "vertex-api-key", "vk-1"),
    ],
)
@pytest.mark.parametrize("profile", list(Profile))
async def test_a_key_is_switched_by_its_excluded_models(
    tmp_path: Path, profile: Profile, section: str, key: str
) -> None:
    async with stock(tmp_path, KINDS, profile=profile) as served:
        name = id_of(served, key)
        models = f"GET auth-files/models?name={name}"
        off = await ask(served, STATUS, {"name": name, "disabled": True})
        assert on_disk(served)[section][0]["excluded-models"] == ["*"]
        assert (await ask(served, models)).json == {"models": []}
        on = await ask(served, STATUS, {"name": name, "disabled": False})
        assert "excluded-models" not in on_disk(served)[section][0]
        assert (await ask(served, models)).json != {"models": []}
    assert (off.status, off.json) == (200, {"disabled": True, "status": "ok", **VIA})
    assert (on.status, on.json) == (200, {"disabled": False, "status": "ok", **VIA})


@rule("toggle.pattern")
async def test_patterns_of_the_operator_stay_and_every_star_goes(tmp_path: Path) -> None:
    text = "claude-api-key:\n  - api-key: k\n    excluded-models: [opus-*, '*', sonnet, '*'] # dear\n"
    async with stock(tmp_path, text) as served:
        name = id_of(served, "k")
        await ask(served, STATUS, {"name": name, "disabled": False})
        assert on_disk(served)["claude-api-key"][0]["excluded-models"] == ["opus-*", "sonnet"]
        await ask(served, STATUS, {"name": name, "disabled": True})
        assert on_disk(served)["claude-api-key"][0]["excluded-models"] == ["opus-*", "sonnet", "*"]
        assert "# dear" in served.runtime.config_path.read_text()


@rule("toggle.at-once", "toggle.no-disabled", "toggle.everything", "models.disabled", "attribute.always-active")
async def test_a_switched_off_key_has_no_models_at_once_and_no_state_of_its_own(tmp_path: Path) -> None:
    text = "claude-api-key:\n  - api-key: k\n    models: [{name: m, alias: n}]\n"
    async with stock(tmp_path, text) as served:
        name = id_of(served, "k")
        before: Any = (await ask(served, f"GET auth-files/models?name={name}")).json
        await ask(served, STATUS, {"name": name, "disabled": True})
        after = (await ask(served, f"GET auth-files/models?name={name}")).json
        listed = (await ask(served, "GET auth-files")).json
        section: Any = (await ask(served, "GET claude-api-key")).json
    assert [model["id"] for model in before["models"]] == ["n"]
    assert (after, listed) == ({"models": []}, {"files": []})
    assert section["claude-api-key"][0]["excluded-models"] == ["*"]
    assert "auth-index" in section["claude-api-key"][0]


@rule("toggle.provider")
async def test_a_compat_provider_is_switched_in_its_list(tmp_path: Path) -> None:
    async with stock(tmp_path, KINDS) as served:
        got = await ask(served, "PATCH openai-compatibility", {"name": "OpenRouter", "value": {"disabled": True}})
        assert on_disk(served)["openai-compatibility"][0]["disabled"] is True
        assert not any(each.api_key == "sk-or-1" for each in served.runtime.snapshot.credentials)
    assert got.status == 200


@rule("toggle.address")
async def test_both_ways_of_switching_a_key_end_in_the_same_file(tmp_path: Path) -> None:
    texts = []
    for call, body in (
        (STATUS, {"name": "claude:apikey:6ddeb420187e", "disabled": True}),
        ("PATCH claude-api-key", {"index": 0, "value": {"excluded-models": ["*"]}}),
    ):
        async with stock(tmp_path, KINDS) as served:
            assert (await ask(served, call, body)).status == 200
            texts.append(on_disk(served))
    assert texts[0] == texts[1]


@rule("toggle.unsaved", "save.mapping", "scalar.unsaved")
@pytest.mark.parametrize("broken", ["[1, 2]\n", "port: [\n", None])
async def test_what_cannot_be_saved_is_500_and_nothing_is_written(tmp_path: Path, broken: str | None) -> None:
    async with stock(tmp_path, KINDS) as served:
        path = served.runtime.config_path
        path.write_text(broken) if broken else path.unlink()
        answers = [
            await ask(served, STATUS, {"name": "claude:apikey:6ddeb420187e", "disabled": True}),
            await ask(served, "PUT debug", {"value": True}),
        ]
        assert (path.read_text() if path.exists() else None) == broken
    assert [got.status for got in answers] == [500, 500]
    assert {str(got.json)[:34] for got in answers} == {"{'error': 'failed to save config: "}


@rule("toggle.everything", "excluded.all")
async def test_a_switched_off_key_serves_nothing_not_even_an_alias(tmp_path: Path) -> None:
    text = key_section("claude-api-key", "{url}", ["ok-1"], "claude-demo")
    async with pool(tmp_path, text, rest="management-profile: stock\n") as (served, upstream):
        await ask(served, STATUS, {"name": id_of(served, "ok-1"), "disabled": True})
        headers = {"X-Api-Key": "client-key-1"}
        got = await served.request("POST", "/v1/messages", headers=headers, json={"model": "claude-demo"})
    assert got.status >= 400
    assert upstream.seen == []


@rule("toggle.not-updated", "fields.unsaved")
async def test_a_file_that_cannot_be_written_stays_as_it_is(tmp_path: Path) -> None:
    async with stock(tmp_path, files=FILES) as served:
        (tmp_path / "auths" / f".{NAME}.new").mkdir()
        answers = [
            await ask(served, STATUS, {"name": NAME, "disabled": True}),
            await ask(served, "PATCH auth-files/fields", {"name": NAME, "note": "x"}),
        ]
        assert (tmp_path / "auths" / NAME).read_text() == FILES[NAME]
    assert [got.status for got in answers] == [500, 500]
    assert {str(got.json)[:34] for got in answers} == {"{'error': 'failed to update auth: "}
