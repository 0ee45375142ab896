"""The management paths: every method a path has, and 404 without a body for all it has not."""

from pathlib import Path

import pytest

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
        ("config", READ),
        ("config.yaml", "GET PUT"),
        ("latest-version", READ),
        ("plugins", READ),
        (SCALARS, CHANGE),
        ("proxy-url", ALL),
        ("api-call", "POST"),
        ("reset-quota", "POST"),
        ("api-keys", ALL),
        ("api-key-usage", READ),
        ("usage-queue", READ),
        (LISTS, ALL),
        (OAUTH_MAPS, ALL),
        ("auth-files", "GET POST DELETE"),
        ("auth-files/models auth-files/download", READ),
        ("auth-files/status auth-files/fields", "PATCH"),
        ("vertex/import", "POST"),
        ("model-definitions/claude", READ),
        ("ampcode usage generative-language-api-key", ""),
    ],
)
async def test_a_path_has_its_methods_and_no_other(tmp_path: Path, paths: str, methods: str) -> None:
    async with stock(tmp_path) as served:
        for path in paths.split():
            answers = {method: await served.request(method, f"/v0/management/{path}") for method in METHODS}
            missing = {method for method, got in answers.items() if (got.status, got.body) == (404, b"")}
            assert missing == set(METHODS) - set(methods.split()), path
