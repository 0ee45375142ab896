"""PATCH /auth-files/fields."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.rules import row, rule
from tests.conformance.stock import OK, ask, stock
from tests.management.serving import Answer, Served

CLAUDE = {"type": "claude", "email": "a@example.com", "access_token": "t"}


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with stock(
        tmp_path, "claude-api-key: [{api-key: sk-key}]\n", files={"a.json": json.dumps(CLAUDE)}
    ) as running:
        yield running


def stored(served: Served, name: str) -> bytes:
    return (served.runtime.auth_dir / name).read_bytes()


async def patch(served: Served, **fields: Any) -> Answer:
    return await ask(served, "PATCH auth-files/fields", {"name": "a.json", **fields})


@rule("fields.ok", "fields.nested", "fields.weight", "fields.retry", "fields.body")
async def test_fields_are_changed_and_all_others_stay(served: Served) -> None:
    answer = await patch(served, **{"proxy-url": "direct", "a.b.c": 1, "a.d": None, "weight": -3, "note": "hi"})
    assert answer.json == OK
    expected = CLAUDE | {"proxy_url": "direct", "a": {"b": {"c": 1}, "d": None}, "weight": 0, "note": "hi"}
    assert json.loads(stored(served, "a.json")) == expected | {"disabled": False}
    credential = served.runtime.snapshot.by_id("a.json")
    assert credential is not None
    assert (credential.proxy_url, credential.weight) == ("direct", 0)
    await patch(served, weight=None, request_retry=-1, **{"a.b": 2})
    left = json.loads(stored(served, "a.json"))
    assert (left["a"], "weight" in left, "request_retry" in left) == ({"b": 2, "d": None}, False, False)


@rule("fields.headers")
async def test_headers_are_merged_and_an_empty_one_goes(served: Served) -> None:
    await patch(served, headers={"A": "1", "B": "2"})
    await patch(served, headers={"A": " ", "C": "3"})
    assert json.loads(stored(served, "a.json"))["headers"] == {"B": "2", "C": "3"}
    await patch(served, headers={"B": "", " C ": " "})
    assert "headers" not in json.loads(stored(served, "a.json"))
    for odd in ("x", None, {"A": 1}):
        await patch(served, headers=odd)
        assert json.loads(stored(served, "a.json"))["headers"] == odd


@rule("fields.at-once")
@pytest.mark.parametrize(
    ("value", "disabled"), [("x", True), (0, True), (None, True), ("f", False), (" FALSE ", False), (False, False)]
)
async def test_a_file_stays_switched_off_unless_the_value_says_otherwise(
    served: Served, value: object, disabled: bool
) -> None:
    await patch(served, disabled="1")
    await patch(served, disabled=value)
    assert json.loads(stored(served, "a.json"))["disabled"] is disabled


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        row("fields.unreadable", [], 400, "invalid request body"),
        row("fields.nameless", {}, 400, "name is required"),
        row("fields.nameless", {"name": 1, "note": "x"}, 400, "name is required"),
        row("fields.nothing", {"name": "a.json"}, 400, "no fields to update"),
        row("fields.empty-name", {"name": "a.json", " ": 1}, 400, "field name is required"),
        row("fields.invalid", {"name": "a.json", "a..b": 1}, 400, "invalid field path: a..b"),
        row(
            "fields.twice",
            {"name": "a.json", "note": 1, " note": 2},
            400,
            'auth file fields "note" and " note" refer to the same field',
        ),
        row("fields.weight-type", {"name": "a.json", "weight": "1"}, 400, "weight must be an integer"),
        row("fields.weight-range", {"name": "a.json", "weight": 1000001}, 400, "weight must not exceed 1000000"),
        row("fields.weight-nested", {"name": "a.json", "weight.x": 1}, 400, "weight does not support nested fields"),
        row(
            "fields.retry-type",
            {"name": "a.json", "request-retry": "1"},
            400,
            "request_retry must be an integer or null",
        ),
        row(
            "fields.retry-nested",
            {"name": "a.json", "request_retry.x": 1},
            400,
            "request_retry does not support nested fields",
        ),
        row("fields.unknown", {"name": "none.json", "note": 1}, 404, "auth file not found"),
    ],
)
async def test_an_impossible_change_of_fields_is_refused(served: Served, body: object, status: int, error: str) -> None:
    before = stored(served, "a.json")
    answer = await ask(served, "PATCH auth-files/fields", body)
    assert (answer.status, answer.json) == (status, {"error": error})
    assert stored(served, "a.json") == before


@rule("fields.twice")
async def test_the_canonical_name_of_a_field_beats_the_older_one(served: Served) -> None:
    await patch(served, **{"proxy-url": "old", "proxy_url": "new"})
    assert json.loads(stored(served, "a.json"))["proxy_url"] == "new"


@pytest.mark.parametrize(
    ("older", "canonical"),
    [
        row("fields.aliases", name, name.replace("-", "_"))
        for name in (
            *("api-key", "base-url", "disable-cooling", "excluded-models", "fingerprint-profile", "model-aliases"),
            *("proxy-url", "request-retry", "request-scoped-errors", "tool-prefix-disabled"),
        )
    ],
)
async def test_a_name_with_hyphens_becomes_one_with_underscores(served: Served, older: str, canonical: str) -> None:
    await patch(served, **{older: 7})
    content = json.loads(stored(served, "a.json"))
    assert (content[canonical], older in content) == (7, False)


@rule("fields.aliases")
async def test_only_the_first_step_of_a_name_has_an_older_form(served: Served) -> None:
    await patch(served, **{"my-own.proxy-url": 1})
    assert json.loads(stored(served, "a.json"))["my-own"] == {"proxy-url": 1}


@rule("fields.null")
async def test_null_is_stored_where_the_field_is_not_a_number_of_the_gateway(served: Served) -> None:
    await patch(served, weight=1, request_retry=1, mine=1)
    await patch(served, weight=None, request_retry=None, mine=None)
    content = json.loads(stored(served, "a.json"))
    assert content.get("mine", "absent") is None
    assert not {"weight", "request_retry"} & content.keys()


@pytest.mark.parametrize(
    ("field", "value", "seen"),
    [
        row("fields.at-once file-field.prefix", "prefix", "team", {}),
        row("fields.at-once file-field.proxy-url", "proxy_url", "http://p:1", {}),
        row("fields.at-once file-field.headers", "headers", {"A": "b"}, {}),
        row("fields.at-once", "priority", 4, {"priority": 4}),
        row("fields.at-once file-field.weight", "weight", 9, {"weight": 9}),
        row("fields.at-once file-field.note", "note", "mine", {"note": "mine"}),
        row("fields.at-once file-field.websockets", "websockets", True, {"websockets": True}),
        row("fields.at-once", "disabled", True, {"disabled": True, "status": "disabled"}),
        row("fields.at-once file-field.request-retry", "request_retry", 2, {"request_retry": 2}),
    ],
)
async def test_a_changed_field_counts_at_once(
    served: Served, field: str, value: object, seen: dict[str, object]
) -> None:
    assert (await patch(served, **{field: value})).json == OK
    listed: Any = (await ask(served, "GET auth-files")).json
    assert {name: listed["files"][0][name] for name in seen} == seen
    credential = served.runtime.snapshot.by_id("a.json")
    assert credential is not None
    assert credential.metadata[field] == value
    assert field != "proxy_url" or credential.proxy_url == value
    assert field != "headers" or dict(credential.headers) == value


@rule("fields.key")
async def test_a_configured_key_answers_and_nothing_lasts(served: Served) -> None:
    name = next(each.id for each in served.runtime.snapshot.credentials if each.api_key == "sk-key")
    before = served.runtime.config_path.read_bytes()
    answer = await ask(served, "PATCH auth-files/fields", {"name": name, "note": "x"})
    assert (answer.status, answer.json) == (200, OK)
    assert served.runtime.config_path.read_bytes() == before
