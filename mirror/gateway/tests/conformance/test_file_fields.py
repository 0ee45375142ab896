"""PATCH /auth-files/fields."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

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


async def test_headers_are_merged_and_an_empty_one_goes(served: Served) -> None:
    await patch(served, headers={"A": "1", "B": "2"})
    await patch(served, headers={"A": " ", "C": "3"})
    assert json.loads(stored(served, "a.json"))["headers"] == {"B": "2", "C": "3"}
    await patch(served, headers={"B": "", " C ": " "})
    assert "headers" not in json.loads(stored(served, "a.json"))
    for odd in ("x", None, {"A": 1}):
        await patch(served, headers=odd)
        assert json.loads(stored(served, "a.json"))["headers"] == odd


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
        ([], 400, "invalid request body"),
        ({}, 400, "name is required"),
        ({"name": 1, "note": "x"}, 400, "name is required"),
        ({"name": "a.json"}, 400, "no fields to update"),
        ({"name": "a.json", " ": 1}, 400, "field name is required"),
        ({"name": "a.json", "a..b": 1}, 400, "invalid field path: a..b"),
        ({"name": "a.json", "note": 1, " note": 2}, 400, 'auth file fields "note" and " note" refer to the same field'),
        ({"name": "a.json", "weight": "1"}, 400, "weight must be an integer"),
        ({"name": "a.json", "weight": 1000001}, 400, "weight must not exceed 1000000"),
        ({"name": "a.json", "weight.x": 1}, 400, "weight does not support nested fields"),
        ({"name": "a.json", "request-retry": "1"}, 400, "request_retry must be an integer or null"),
        ({"name": "a.json", "request_retry.x": 1}, 400, "request_retry does not support nested fields"),
        ({"name": "none.json", "note": 1}, 404, "auth file not found"),
    ],
)
async def test_an_impossible_change_of_fields_is_refused(served: Served, body: object, status: int, error: str) -> None:
    before = stored(served, "a.json")
    answer = await ask(served, "PATCH auth-files/fields", body)
    assert (answer.status, answer.json) == (status, {"error": error})
    assert stored(served, "a.json") == before


async def test_the_canonical_name_of_a_field_beats_the_older_one(served: Served) -> None:
    await patch(served, **{"proxy-url": "old", "proxy_url": "new"})
    assert json.loads(stored(served, "a.json"))["proxy_url"] == "new"


async def test_only_the_first_step_of_a_name_has_an_older_form(served: Served) -> None:
    await patch(served, **{"my-own.proxy-url": 1})
    assert json.loads(stored(served, "a.json"))["my-own"] == {"proxy-url": 1}


async def test_a_configured_key_answers_and_nothing_lasts(served: Served) -> None:
    name = next(each.id for each in served.runtime.snapshot.credentials if each.api_key == "sk-key")
    before = served.runtime.config_path.read_bytes()
    answer = await ask(served, "PATCH auth-files/fields", {"name": name, "note": "x"})
    assert (answer.status, answer.json) == (200, OK)
    assert served.runtime.config_path.read_bytes() == before
