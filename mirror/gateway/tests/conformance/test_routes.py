"""The management paths: every method a path has, and 404 without a body for all it has not."""

from pathlib import Path

import pytest

from tests.conformance.rules import row, rule
from tests.conformance.stock import stock

METHODS = ("GET", "PUT", "PATCH", "POST", "DELETE")
SCALARS = (
    "debug logging-to-file logs-max-total-size-mb error-logs-max-files usage-statistics-enabled request-log ws-auth "
    "request-retry max-retry-credentials max-retry-interval force-model-prefix routing/strategy "
    "quota-exceeded/switch-project quota-exceeded/switch-preview-model"
)
LISTS = (
    "gemini-api-key interactions-api-key claude-api-key codex-api-key xai-api-key openai-compatibility vertex-api-key"
)
OAUTH_MAPS = "oauth-excluded-models oauth-model-alias oauth-request-scoped-errors"
READ, CHANGE, ALL = "GET", "GET PUT PATCH", "GET PUT PATCH DELETE"


@pytest.mark.parametrize(
    ("paths", "methods"),
    [
        row("route.config", "config", READ),
        row("route.config-yaml", "config.yaml", "GET PUT"),
        row("route.latest-version", "latest-version", READ),
        row("route.plugins", "plugins", READ),
        row("route.scalars", SCALARS, CHANGE),
        row("route.proxy-url", "proxy-url", ALL),
        row("route.api-call", "api-call", "POST"),
        row("route.reset-quota", "reset-quota", "POST"),
        row("route.api-keys", "api-keys", ALL),
        row("route.api-key-usage", "api-key-usage", READ),
        row("route.usage-queue", "usage-queue", READ),
        row("route.lists", LISTS, ALL),
        row("route.oauth-maps", OAUTH_MAPS, ALL),
        row("route.auth-files", "auth-files", "GET POST DELETE"),
        row("route.auth-files-read", "auth-files/models auth-files/download", READ),
        row("route.auth-files-change", "auth-files/status auth-files/fields", "PATCH"),
        row("route.vertex-import", "vertex/import", "POST"),
        row("route.model-definitions", "model-definitions/claude", READ),
        row("route.gone", "ampcode usage generative-language-api-key", ""),
    ],
)
async def test_a_path_has_its_methods_and_no_other(tmp_path: Path, paths: str, methods: str) -> None:
    async with stock(tmp_path) as served:
        for path in paths.split():
            answers = {method: await served.request(method, f"/v0/management/{path}") for method in METHODS}
            missing = {method for method, got in answers.items() if (got.status, got.body) == (404, b"")}
            assert missing == set(METHODS) - set(methods.split()), path


@rule("route.patch-is-put")
@pytest.mark.parametrize("path", SCALARS.split())
async def test_patch_of_a_scalar_answers_as_put_does(tmp_path: Path, path: str) -> None:
    async with stock(tmp_path) as served:
        values: list[object] = [True, 1, "ff", None, []]
        for value in values:
            answers = [
                await served.request(method, f"/v0/management/{path}", json={"value": value})
                for method in ("PUT", "PATCH")
            ]
            assert len({(got.status, got.body) for got in answers}) == 1


NOT_SERVED = """plugins/x plugins/x/enabled plugins/x/config plugin-store plugin-store/x/install logs
request-error-logs request-error-logs/x request-log-by-id/x anthropic-auth-url codex-auth-url
antigravity-auth-url kimi-auth-url xai-auth-url get-auth-status oauth-session oauth-callback"""


@pytest.mark.parametrize("path", NOT_SERVED.split())
@pytest.mark.parametrize("method", METHODS)
async def test_a_path_of_the_stock_gateway_that_is_not_served_answers_like_an_unknown_one(
    tmp_path: Path, path: str, method: str
) -> None:
    async with stock(tmp_path) as served:
        got = await served.request(method, f"/v0/management/{path}")
    assert (got.status, got.body) == (404, b"")


@pytest.mark.parametrize("path", ["/keep-alive", "/management.html", "/v0/resource/plugins/x", "/codex/callback"])
async def test_nothing_else_of_it_is_served_either(tmp_path: Path, path: str) -> None:
    async with stock(tmp_path) as served:
        got = await served.request("GET", path)
    assert (got.status, got.body) == (404, b"")
