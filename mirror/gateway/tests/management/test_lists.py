"""Scalars, client keys and the maps about OAuth files over HTTP."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from gateway.internal.configuration.document import parse_document
from tests.management.serving import Answer, Served, gateway, secured

OK = {"status": "ok"}
REST = """ws-auth: false # no
error-logs-max-files: -4
routing: {strategy: WRR}
api-keys: # clients
  - one # 1
  - two
oauth-excluded-models:
  Claude: [Opus-*, " sonnet "] # claude
oauth-model-alias:
  codex:
    - {name: a, alias: b}
    - {name: c, alias: C}
"""


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with gateway(tmp_path, secured(tmp_path, REST)) as running:
        yield running


async def ask(served: Served, method: str, path: str, body: object = None) -> Answer:
    return await served.request(method, f"/v0/management/{path}", json=body)


def on_disk(served: Served) -> Any:
    return parse_document(served.runtime.config_path.read_text())


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("debug", {"debug": False}),
        ("usage-statistics-enabled", {"usage-statistics-enabled": False}),
        ("logging-to-file", {"logging-to-file": False}),
        ("logs-max-total-size-mb", {"logs-max-total-size-mb": 0}),
        ("error-logs-max-files", {"error-logs-max-files": 10}),
        ("request-log", {"request-log": False}),
        ("ws-auth", {"ws-auth": False}),
        ("request-retry", {"request-retry": 0}),
        ("max-retry-credentials", {"max-retry-credentials": 0}),
        ("max-retry-interval", {"max-retry-interval": 0}),
        ("force-model-prefix", {"force-model-prefix": False}),
        ("quota-exceeded/switch-project", {"switch-project": False}),
        ("quota-exceeded/switch-preview-model", {"switch-preview-model": False}),
        ("routing/strategy", {"strategy": "weighted-round-robin"}),
        ("proxy-url", {"proxy-url": ""}),
    ],
)
async def test_a_setting_is_shown_with_the_value_that_counts(served: Served, name: str, answer: object) -> None:
    assert (await ask(served, "GET", name)).json == answer


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("debug", True, True),
        ("ws-auth", True, True),
        ("logs-max-total-size-mb", -1, 0),
        ("error-logs-max-files", -1, 10),
        ("request-retry", 3, 3),
        ("quota-exceeded/switch-project", True, True),
        ("routing/strategy", " FF ", "fill-first"),
        ("proxy-url", "nonsense ", "nonsense "),
    ],
)
async def test_a_setting_is_written_and_shown(
    served: Served, method: str, name: str, value: object, shown: object
) -> None:
    assert (await ask(served, method, name, {"value": value})).json == OK
    assert list(((await ask(served, "GET", name)).json or {}).values()) == [shown]  # type: ignore[attr-defined]  # JSON
    place = on_disk(served)
    for step in name.split("/"):
        place = place.get(step, shown)
    assert place == shown or name in {"error-logs-max-files", "logs-max-total-size-mb"}
    assert "ws-auth: false # no" in served.runtime.config_path.read_text() or name == "ws-auth"


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("debug", {}),
        ("debug", {"value": None}),
        ("debug", {"value": "true"}),
        ("debug", {"value": 1}),
        ("request-retry", {"value": 1.5}),
        ("request-retry", {"value": True}),
        ("proxy-url", {"value": 1}),
        ("debug", [True]),
    ],
)
async def test_a_value_of_another_type_is_an_invalid_body(served: Served, name: str, body: object) -> None:
    answer = await ask(served, "PUT", name, body)
    assert (answer.status, answer.json) == (400, {"error": "invalid body"})


async def test_an_unknown_strategy_is_refused(served: Served) -> None:
    answer = await ask(served, "PUT", "routing/strategy", {"value": "best"})
    assert (answer.status, answer.json) == (400, {"error": "invalid strategy"})


async def test_the_proxy_can_be_cleared(served: Served) -> None:
    await ask(served, "PUT", "proxy-url", {"value": "http://p"})
    assert (await ask(served, "DELETE", "proxy-url")).json == OK
    assert on_disk(served)["proxy-url"] == ""
    assert (await ask(served, "DELETE", "debug")).status == 404


@pytest.mark.parametrize(
    ("call", "body", "status", "left"),
    [
        ("PUT api-keys", [" a ", "b"], 200, [" a ", "b"]),
        ("PUT api-keys", {"items": ["a"]}, 200, ["a"]),
        ("PUT api-keys", [], 200, []),
        ("PUT api-keys", {"items": []}, 400, ["one", "two"]),
        ("PUT api-keys", [1], 400, ["one", "two"]),
        ("PATCH api-keys", {"index": 1, "value": "x"}, 200, ["one", "x"]),
        ("PATCH api-keys", {"index": 9, "value": "x"}, 400, ["one", "two"]),
        ("PATCH api-keys", {"old": "one", "new": "x"}, 200, ["x", "two"]),
        ("PATCH api-keys", {"old": "none", "new": "x"}, 200, ["one", "two", "x"]),
        ("DELETE api-keys?index=0", None, 200, ["two"]),
        ("DELETE api-keys?value=%20two%20", None, 200, ["one"]),
        ("DELETE api-keys?value=none", None, 200, ["one", "two"]),
        ("DELETE api-keys?index=7", None, 400, ["one", "two"]),
    ],
)
async def test_client_keys_are_edited(served: Served, call: str, body: object, status: int, left: object) -> None:
    method, path = call.split(" ")
    answer = await ask(served, method, path, body)
    assert answer.status == status
    assert on_disk(served)["api-keys"] == left
    assert "# clients" in served.runtime.config_path.read_text()


async def test_no_client_keys_are_null(served: Served) -> None:
    await ask(served, "PUT", "api-keys", [])
    assert (await ask(served, "GET", "api-keys")).json == {"api-keys": None}


async def test_maps_are_shown_in_normal_form(served: Served) -> None:
    assert (await ask(served, "GET", "oauth-excluded-models")).json == {
        "oauth-excluded-models": {"claude": ["opus-*", "sonnet"]}
    }
    assert (await ask(served, "GET", "oauth-model-alias")).json == {
        "oauth-model-alias": {"codex": [{"name": "a", "alias": "b"}]}
    }
    assert (await ask(served, "GET", "oauth-request-scoped-errors")).json == {"oauth-request-scoped-errors": None}


RULE = {"status": 400, "match": [" full "], "action": " STOP "}


@pytest.mark.parametrize(
    ("call", "body", "status", "answer"),
    [
        ("PATCH oauth-excluded-models", {"provider": "Codex", "models": ["X", "x"]}, 200, OK),
        ("PATCH oauth-excluded-models", {"provider": "codex", "models": []}, 404, {"error": "provider not found"}),
        ("PATCH oauth-excluded-models", {"models": []}, 400, {"error": "invalid body"}),
        ("PATCH oauth-excluded-models", {"provider": " "}, 400, {"error": "invalid provider"}),
        ("DELETE oauth-excluded-models?provider=CLAUDE", None, 200, OK),
        ("DELETE oauth-excluded-models", None, 400, {"error": "missing provider"}),
        ("PATCH oauth-model-alias", {"aliases": []}, 400, {"error": "invalid channel"}),
        ("DELETE oauth-model-alias?provider=codex", None, 200, OK),
        ("DELETE oauth-model-alias?channel=none", None, 404, {"error": "channel not found"}),
        ("PATCH oauth-request-scoped-errors", {"channel": "xai", "rules": [RULE]}, 200, OK),
        ("PATCH oauth-request-scoped-errors", {"channel": "xai", "rules": [{"status": 1}]}, 404, None),
        ("PUT oauth-request-scoped-errors", {"items": {"xai": [RULE]}}, 200, OK),
        ("PUT oauth-excluded-models", ["x"], 400, {"error": "invalid body"}),
    ],
)
async def test_maps_are_edited_by_channel(served: Served, call: str, body: object, status: int, answer: object) -> None:
    method, path = call.split(" ")
    got = await ask(served, method, path, body)
    assert got.status == status
    assert answer is None or got.json == answer


async def test_a_put_map_is_written_in_normal_form_and_keeps_comments(served: Served) -> None:
    await ask(served, "PUT", "oauth-excluded-models", {"CLAUDE": ["sonnet", "new"], "codex": ["y"], "xai": []})
    assert on_disk(served)["oauth-excluded-models"] == {"Claude": [" sonnet ", "new"], "codex": ["y"]}
    assert "# claude" in served.runtime.config_path.read_text()
    await ask(served, "PUT", "oauth-request-scoped-errors", {"xai": [RULE]})
    assert on_disk(served)["oauth-request-scoped-errors"] == {
        "xai": [{"status": 400, "match": ["full"], "action": "stop"}]
    }


async def test_an_unrelated_object_clears_a_map(served: Served) -> None:
    assert (await ask(served, "PUT", "oauth-model-alias", {"value": {"codex": []}})).json == OK
    assert on_disk(served)["oauth-model-alias"] == {}
