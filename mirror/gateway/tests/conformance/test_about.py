"""What the gateway says about itself, and safe mode."""

from pathlib import Path
from typing import Any

from tests.conformance.stock import stock
from tests.management.serving import Served

CLIENT = {"Authorization": "Bearer your-api-key-1"}
TEMPLATE = "api-keys:\n  - your-api-key-1 # change me\n"


async def test_configured_plugins_are_listed_and_none_is_loaded(tmp_path: Path) -> None:
    rest = "plugins:\n  enabled: true\n  dir: more\n  configs:\n    mine: {enabled: true, secret: s}\n"
    async with stock(tmp_path, rest) as served:
        answer: Any = (await served.request("GET", "/v0/management/plugins")).json
    (plugin,) = answer.pop("plugins")
    assert answer == {"plugins_enabled": True, "plugins_dir": "more"}
    assert plugin["id"] == "mine"
    assert (plugin["configured"], plugin["enabled"], plugin["registered"]) == (True, True, False)
    assert plugin["effective_enabled"] is False
    assert "secret" not in str(plugin)


async def test_without_configured_plugins_there_are_none_and_the_header_offers_no_host(tmp_path: Path) -> None:
    async with stock(tmp_path) as served:
        got = await served.request("GET", "/v0/management/plugins")
    assert got.json == {"plugins_enabled": False, "plugins_dir": "plugins", "plugins": []}
    assert got.headers["x-cpa-support-plugin"] == "0"


async def test_nobody_is_asked_for_the_latest_version(tmp_path: Path) -> None:
    async with stock(tmp_path) as served:
        answer: Any = await served.request("GET", "/v0/management/latest-version")
    assert answer.status == 502
    assert answer.json["error"] == "request_failed"


async def test_known_models_are_defined_by_family(tmp_path: Path) -> None:
    async with stock(tmp_path) as served:
        answer: Any = await served.request("GET", "/v0/management/model-definitions/Claude")
        assert answer.json["channel"] == "claude"
        assert {"id", "object", "owned_by", "type", "display_name"} == set(answer.json["models"][0])
        answer = await served.request("GET", "/v0/management/model-definitions/none")
        assert (answer.status, answer.json) == (400, {"channel": "none", "error": "unknown channel"})


async def statuses(served: Served) -> list[int]:
    paths = ("/v1/models", "/v1", "/v1beta/models", "/openai/v1/videos", "/backend-api/codex/responses")
    return [(await served.request("GET", path, headers=CLIENT)).status for path in paths]


async def test_a_template_key_closes_the_model_paths_until_it_is_gone(tmp_path: Path) -> None:
    async with stock(tmp_path, TEMPLATE) as served:
        answer: Any = await served.request("GET", "/v1/models", headers=CLIENT)
        assert answer.status == 403
        assert answer.json["error"] == "unsafe_example_api_key"
        assert answer.headers["x-cpa-safe-mode"] == "example-api-key"
        assert await statuses(served) == [403] * 5
        assert b"Safe mode" in (await served.request("GET", "/")).body
        assert (await served.request("GET", "/v1x")).status == 404
        assert (await served.request("OPTIONS", "/v1/models")).status == 204
        await served.request("PUT", "/v0/management/api-keys", json=["own"])
        assert (await served.request("GET", "/v1/models", headers={"Authorization": "Bearer own"})).status == 200
        assert b"Safe mode" not in (await served.request("GET", "/")).body
