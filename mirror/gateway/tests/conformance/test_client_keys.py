"""api-keys: who may use the models."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.conformance.stock import OK, ask, on_disk, stock
from tests.management.serving import Served


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with stock(tmp_path, "api-keys: # clients\n  - one # 1\n  - two\n") as running:
        yield running


def text_of(call: str, body: object) -> str:
    """Return what a wrong call is told."""
    if call.startswith("PUT"):
        return "invalid body"
    return "missing index or value" if body is None else "missing fields"


async def test_client_keys_are_shown(served: Served) -> None:
    assert (await ask(served, "GET api-keys")).json == {"api-keys": ["one", "two"]}


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
        ("PATCH api-keys", {"old": "one"}, 400, ["one", "two"]),
        ("DELETE api-keys", None, 400, ["one", "two"]),
        ("DELETE api-keys?index=7", None, 400, ["one", "two"]),
    ],
)
async def test_client_keys_are_edited(served: Served, call: str, body: object, status: int, left: object) -> None:
    answer = await ask(served, call, body)
    assert (answer.status, answer.json) == (status, OK if status == 200 else {"error": text_of(call, body)})
    assert on_disk(served)["api-keys"] == left
    assert "# clients" in served.runtime.config_path.read_text()
