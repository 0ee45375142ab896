"""Entries of the lists of API keys over HTTP: patched and deleted, with every error text."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.conformance.key_pool import entries, pool
from tests.conformance.stock import OK, ask, profiled
from tests.management.serving import Served, gateway


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with pool(tmp_path) as running:
        yield running


@pytest.mark.parametrize(
    ("section", "body", "status", "error"),
    [
        ("gemini-api-key", {"match": "g1", "value": {}}, 400, "multiple items match; index is required"),
        ("gemini-api-key?base-url=https://two.example", {"match": "g1", "value": {}}, 200, ""),
        ("gemini-api-key", {"match": "none", "value": {}}, 404, "item not found"),
        ("gemini-api-key", {"match": "none", "value": {"headers": {"a": 1}}}, 400, "invalid body"),
        ("gemini-api-key", {"match": "none", "value": {"weight": "x"}}, 404, "item not found"),
        ("claude-api-key", {"index": 9, "match": "c2", "value": {}}, 200, ""),
        ("claude-api-key", {"index": 9, "value": {}}, 404, "item not found"),
        ("claude-api-key", {"index": 0}, 400, "invalid body"),
        ("claude-api-key", {"index": "0", "value": {}}, 400, "invalid body"),
        ("claude-api-key", {"index": 0, "value": {"models": 1}}, 400, "invalid body"),
        ("claude-api-key", {"index": 0, "value": {"weight": 1.5}}, 400, "weight must be an integer"),
        ("claude-api-key", {"index": 0, "value": {"weight": 2000000}}, 400, "weight must not exceed 1000000"),
        ("claude-api-key", {"index": 0, "match": "c2", "value": {"api-key": "c9"}}, 200, ""),
        (
            "claude-api-key",
            {"index": 0, "value": {"fingerprint-profile": "odd"}},
            400,
            'fingerprint-profile: unsupported fingerprint-profile "odd" (supported: "claude-code-cli" or empty)',
        ),
        (
            "claude-api-key",
            {"index": 0, "value": {"disable-cooling": "x"}},
            400,
            "disable-cooling must be a boolean or null",
        ),
        ("openai-compatibility", {"name": "none", "value": {}}, 404, "item not found"),
    ],
)
async def test_a_patch_names_its_entry(served: Served, section: str, body: object, status: int, error: str) -> None:
    answer = await ask(served, f"PATCH {section}", body)
    assert (answer.status, answer.json) == (status, {"error": error} if error else OK)


async def test_a_patch_changes_what_it_names_and_nothing_else(served: Served) -> None:
    value = {"prefix": "p", "weight": 0, "request-retry": 2, "priority": 9, "unknown": 1, "disable-cooling": False}
    await ask(served, "PATCH claude-api-key", {"match": "c1", "value": value})
    changed = {"prefix": "p", "weight": 0, "request-retry": 2, "disable-cooling": False}
    assert entries(served, "claude-api-key")[0] == {"api-key": "c1", "my-own": 7, **changed}
    value = {"api-key": "c9", "prefix": "", "weight": None, "request-retry": None, "disable-cooling": None}
    await ask(served, "PATCH claude-api-key", {"match": "c1", "value": value})
    assert entries(served, "claude-api-key")[0] == {"api-key": "c9", "my-own": 7, "request-retry": 2}
    assert "- api-key: c9 # one" in served.runtime.config_path.read_text()


@pytest.mark.parametrize(
    ("section", "body", "left"),
    [
        ("codex-api-key", {"match": "x1", "value": {"base-url": ""}}, [{"api-key": "nowhere"}]),
        ("vertex-api-key", {"index": 0, "value": {"api-key": " "}}, []),
        (
            "openai-compatibility",
            {"name": "solo", "value": {"base-url": ""}},
            [{"name": "bare", "base-url": "https://b.example/v1"}],
        ),
    ],
)
async def test_a_patch_can_empty_an_entry_away(served: Served, section: str, body: object, left: object) -> None:
    assert (await ask(served, f"PATCH {section}", body)).json == OK
    assert entries(served, section) == left


@pytest.mark.parametrize(
    ("path", "status", "error"),
    [
        ("gemini-api-key?api-key=g1", 400, "multiple items match api-key; base-url is required"),
        ("gemini-api-key?api-key=g1&base-url=https://two.example", 200, ""),
        ("gemini-api-key?api-key=none", 404, "item not found"),
        ("gemini-api-key?api-key=g2&base-url=https://none.example", 404, "item not found"),
        ("gemini-api-key?index=2", 200, ""),
        ("gemini-api-key?index=9", 400, "missing api-key or index"),
        ("claude-api-key?api-key=none", 200, ""),
        ("claude-api-key?index=x", 400, "missing api-key or index"),
        ("openai-compatibility?name=none", 200, ""),
        ("openai-compatibility", 400, "missing name or index"),
    ],
)
async def test_a_deletion_names_its_entry(served: Served, path: str, status: int, error: str) -> None:
    answer = await ask(served, f"DELETE {path}")
    assert (answer.status, answer.json) == (status, {"error": error} if error else OK)


async def test_a_deleted_entry_leaves_its_comments(served: Served) -> None:
    await ask(served, "DELETE openai-compatibility?name=solo")
    assert [entry["name"] for entry in entries(served, "openai-compatibility")] == ["bare"]
    assert "# solo" in served.runtime.config_path.read_text()
    assert "# key" in served.runtime.config_path.read_text()


async def test_a_file_that_cannot_be_read_is_not_written_over(served: Served) -> None:
    served.runtime.config_path.write_text("port: [")
    answer = await ask(served, "PUT claude-api-key", [])
    assert answer.status == 500
    assert str(answer.json).startswith("{'error': 'failed to save config: ")
    assert served.runtime.config_path.read_text() == "port: ["


async def test_entries_behind_an_alias_are_refused(tmp_path: Path) -> None:
    text = profiled(tmp_path, "claude-api-key: &keys\n  - api-key: a\nvertex-api-key: *keys\n")
    async with gateway(tmp_path, text) as served:
        answer = await ask(served, "PATCH vertex-api-key", {"index": 0, "value": {"prefix": "p"}})
        assert answer.status == 500
        assert "shared with another place" in str(answer.json)
        assert served.runtime.config_path.read_text() == text
