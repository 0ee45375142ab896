"""Who may use inference, and which models there are."""

from pathlib import Path

import pytest

from tests.inference.pools import CLIENT, compat, key_section, pool


@pytest.mark.parametrize(
    ("headers", "query"),
    [
        ({"Authorization": "Bearer client-key-1"}, ""),
        ({"Authorization": "bearer client-key-1"}, ""),
        ({"Authorization": "client-key-1"}, ""),
        ({"X-Goog-Api-Key": "client-key-1"}, ""),
        ({"X-Api-Key": "client-key-1"}, ""),
        ({}, "?key=client-key-1"),
        ({}, "?auth_token=client-key-1"),
        ({"Authorization": "Bearer wrong", "X-Api-Key": "client-key-1"}, ""),
    ],
)
async def test_a_client_key_is_accepted_wherever_clients_put_it(
    tmp_path: Path, headers: dict[str, str], query: str
) -> None:
    async with pool(tmp_path) as (served, _):
        assert (await served.request("GET", f"/v1/models{query}", headers=headers)).status == 200


@pytest.mark.parametrize("path", ["/v1/models", "/v1beta/models", "/v1beta/models/x"])
async def test_a_missing_and_a_wrong_key_are_told_apart(tmp_path: Path, path: str) -> None:
    async with pool(tmp_path) as (served, upstream):
        missing = await served.request("GET", path, headers={})
        assert (missing.status, missing.json) == (401, {"error": "Missing API key"})
        wrong = await served.request("GET", path, headers={"Authorization": "Bearer nope"})
        assert (wrong.status, wrong.json) == (401, {"error": "Invalid API key"})
        assert upstream.seen == []


async def test_without_client_keys_everybody_is_let_in(tmp_path: Path) -> None:
    async with pool(tmp_path, rest="") as (served, _):
        text = served.runtime.text.replace('api-keys:\n  - "client-key-1"\n', "")
        (tmp_path / "config.yaml").write_text(text)
        await served.runtime.reload()
        assert (await served.request("GET", "/v1/models", headers={})).status == 200


async def test_the_upstream_never_sees_the_client_key(tmp_path: Path) -> None:
    async with pool(tmp_path) as (served, upstream):
        headers = {"Authorization": "Bearer client-key-1", "X-Api-Key": "client-key-1", "Cookie": "a=client-key-1"}
        path = "/v1/chat/completions?key=client-key-1&auth_token=client-key-1&x=1"
        await served.request("POST", path, headers=headers, json={"model": "demo-model"})
        (seen,) = upstream.seen
        assert seen.query == "x=1"
        assert not any("client-key" in value for value in seen.headers.values())


async def test_models_are_listed_under_the_names_clients_use(tmp_path: Path) -> None:
    text = "openai-compatibility:\n" + compat("{url}", "ok-1", model="mine", upstream="theirs")
    async with pool(tmp_path, text) as (served, _):
        answer = await served.request("GET", "/v1/models", headers=CLIENT)
        assert isinstance(answer.json, dict)
        (model,) = answer.json["data"]
        assert (answer.json["object"], model["id"], model["object"], model["owned_by"]) == (
            "list",
            "mine",
            "model",
            "solo",
        )
        assert isinstance(model["created"], int)


@pytest.mark.parametrize("headers", [{"Anthropic-Version": "2023-06-01"}, {"User-Agent": "claude-cli/1.0"}])
async def test_anthropic_clients_get_the_list_in_their_form(tmp_path: Path, headers: dict[str, str]) -> None:
    async with pool(tmp_path) as (served, _):
        answer = await served.request("GET", "/v1/models", headers=CLIENT | headers)
        assert isinstance(answer.json, dict)
        assert answer.json["data"][0]["type"] == "model"
        assert (answer.json["first_id"], answer.json["has_more"]) == ("demo-model", False)


async def test_gemini_clients_get_the_list_in_their_form(tmp_path: Path) -> None:
    async with pool(tmp_path, key_section("gemini-api-key", "{url}", ["ok-1"], "gemini-demo")) as (served, _):
        answer = await served.request("GET", "/v1beta/models", headers=CLIENT)
        model = {
            "description": "gemini-demo",
            "displayName": "gemini-demo",
            "name": "models/gemini-demo",
            "supportedGenerationMethods": ["generateContent"],
        }
        assert answer.json == {"models": [model]}
        one = await served.request("GET", "/v1beta/models/gemini-demo", headers=CLIENT)
        assert one.json == model
