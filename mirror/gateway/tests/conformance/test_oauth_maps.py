"""The maps about OAuth files: oauth-excluded-models, oauth-model-alias, oauth-request-scoped-errors."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.conformance.stock import OK, ask, on_disk, stock
from tests.management.serving import Served

UNKNOWN = {"error": "channel not found"}
ALIAS = {"name": "a", "alias": "b"}
REST = """oauth-excluded-models:
  Claude: [Opus-*, " sonnet "] # claude
oauth-model-alias:
  codex:
    - {name: a, alias: b}
    - {name: c, alias: C}
"""


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with stock(tmp_path, REST) as running:
        yield running


async def test_maps_are_shown_in_normal_form(served: Served) -> None:
    assert (await ask(served, "GET oauth-excluded-models")).json == {
        "oauth-excluded-models": {"claude": ["opus-*", "sonnet"]}
    }
    assert (await ask(served, "GET oauth-model-alias")).json == {
        "oauth-model-alias": {"codex": [{"name": "a", "alias": "b"}]}
    }
    assert (await ask(served, "GET oauth-request-scoped-errors")).json == {"oauth-request-scoped-errors": None}


RULE = {"status": 400, "match": [" full "], "action": " STOP "}


@pytest.mark.parametrize(
    ("call", "body", "status", "answer"),
    [
        ("PATCH oauth-excluded-models", {"provider": "Codex", "models": ["X", "x"]}, 200, OK),
        ("PATCH oauth-excluded-models", {"provider": "codex", "models": []}, 404, {"error": "provider not found"}),
        ("PATCH oauth-excluded-models", {"models": []}, 400, {"error": "invalid body"}),
        ("PATCH oauth-excluded-models", {"provider": "codex", "models": [1]}, 400, {"error": "invalid body"}),
        ("PATCH oauth-excluded-models", {"provider": " "}, 400, {"error": "invalid provider"}),
        ("DELETE oauth-excluded-models?provider=CLAUDE", None, 200, OK),
        ("DELETE oauth-excluded-models", None, 400, {"error": "missing provider"}),
        ("PATCH oauth-model-alias", {"aliases": []}, 400, {"error": "invalid channel"}),
        ("DELETE oauth-model-alias?provider=codex", None, 200, OK),
        ("DELETE oauth-model-alias?channel=none", None, 404, {"error": "channel not found"}),
        ("PATCH oauth-request-scoped-errors", {"channel": "xai", "rules": [RULE]}, 200, OK),
        ("PATCH oauth-request-scoped-errors", {"channel": "xai", "rules": [{"status": 1}]}, 404, None),
        ("PUT oauth-request-scoped-errors", {"items": {"xai": [RULE]}}, 200, OK),
        ("PATCH oauth-excluded-models", {"provider": "claude", "models": []}, 200, OK),
        ("PUT oauth-excluded-models", {"items": {"codex": ["x"]}}, 200, OK),
        ("PUT oauth-model-alias", {"Codex": [{"name": "a", "alias": "b"}]}, 200, OK),
        ("PATCH oauth-model-alias", {"channel": "none", "aliases": []}, 404, UNKNOWN),
        ("PATCH oauth-model-alias", {"provider": "xai", "aliases": [ALIAS]}, 200, OK),
        ("PATCH oauth-request-scoped-errors", {"channel": "no", "rules": []}, 404, UNKNOWN),
        ("DELETE oauth-request-scoped-errors?channel=no", None, 404, UNKNOWN),
        ("PUT oauth-excluded-models", ["x"], 400, {"error": "invalid body"}),
    ],
)
async def test_maps_are_edited_by_channel(served: Served, call: str, body: object, status: int, answer: object) -> None:
    got = await ask(served, call, body)
    assert got.status == status
    assert answer is None or got.json == answer


async def test_a_put_map_is_written_in_normal_form_and_keeps_comments(served: Served) -> None:
    await ask(served, "PUT oauth-excluded-models", {"CLAUDE": ["sonnet", "new"], "codex": ["y"], "xai": []})
    assert on_disk(served)["oauth-excluded-models"] == {"Claude": [" sonnet ", "new"], "codex": ["y"]}
    assert "# claude" in served.runtime.config_path.read_text()
    await ask(served, "PUT oauth-request-scoped-errors", {"xai": [RULE]})
    assert on_disk(served)["oauth-request-scoped-errors"] == {
        "xai": [{"status": 400, "match": ["full"], "action": "stop"}]
    }
