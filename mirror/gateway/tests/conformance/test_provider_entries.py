"""Entries of the lists of API keys over HTTP: patched and deleted, with every error text."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.conformance.key_pool import entries, pool
from tests.conformance.rules import row, rule
from tests.conformance.stock import OK, ask, profiled, stock
from tests.management.serving import Served, gateway


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with pool(tmp_path) as running:
        yield running


@pytest.mark.parametrize(
    ("section", "body", "status", "error"),
    [
        row(
            "list.patch-ambiguous",
            "gemini-api-key",
            {"match": "g1", "value": {}},
            400,
            "multiple items match; index is required",
        ),
        row("list.patch-base", "gemini-api-key?base-url=https://two.example", {"match": "g1", "value": {}}, 200, ""),
        row("list.patch-unknown", "gemini-api-key", {"match": "none", "value": {}}, 404, "item not found"),
        row("list.invalid", "gemini-api-key", {"match": "none", "value": {"headers": {"a": 1}}}, 400, "invalid body"),
        row("list.patch-unknown", "gemini-api-key", {"match": "none", "value": {"weight": "x"}}, 404, "item not found"),
        row("list.patch-match", "claude-api-key", {"index": 9, "match": "c2", "value": {}}, 200, ""),
        row("list.patch-unknown", "claude-api-key", {"index": 9, "value": {}}, 404, "item not found"),
        row("list.invalid", "claude-api-key", {"index": 0}, 400, "invalid body"),
        row("list.invalid", "claude-api-key", {"index": "0", "value": {}}, 400, "invalid body"),
        row("list.invalid", "claude-api-key", {"index": 0, "value": {"models": 1}}, 400, "invalid body"),
        row(
            "list.patch-weight",
            "claude-api-key",
            {"index": 0, "value": {"weight": 1.5}},
            400,
            "weight must be an integer",
        ),
        row(
            "list.patch-weight",
            "claude-api-key",
            {"index": 0, "value": {"weight": 2000000}},
            400,
            "weight must not exceed 1000000",
        ),
        row(
            "list.patch-index",
            "claude-api-key",
            {"index": 0, "match": "c2", "value": {"api-key": "c9"}},
            200,
            "",
        ),
        row(
            "list.profile",
            "claude-api-key",
            {"index": 0, "value": {"fingerprint-profile": "odd"}},
            400,
            'fingerprint-profile: unsupported fingerprint-profile "odd" (supported: "claude-code-cli" or empty)',
        ),
        row(
            "list.cooling",
            "claude-api-key",
            {"index": 0, "value": {"disable-cooling": "x"}},
            400,
            "disable-cooling must be a boolean or null",
        ),
        row(
            "list.patch-name list.patch-unknown",
            "openai-compatibility",
            {"name": "none", "value": {}},
            404,
            "item not found",
        ),
    ],
)
async def test_a_patch_names_its_entry(served: Served, section: str, body: object, status: int, error: str) -> None:
    answer = await ask(served, f"PATCH {section}", body)
    assert (answer.status, answer.json) == (status, {"error": error} if error else OK)


@rule("field.absent-keeps", "field.retry-stays", "field.weight-null", "field.claude")
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
        row("list.emptied", "codex-api-key", {"match": "x1", "value": {"base-url": ""}}, [{"api-key": "nowhere"}]),
        row("list.emptied", "vertex-api-key", {"index": 0, "value": {"api-key": " "}}, []),
        row(
            "list.emptied",
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
        row(
            "list.delete-ambiguous",
            "gemini-api-key?api-key=g1",
            400,
            "multiple items match api-key; base-url is required",
        ),
        row("list.delete-key", "gemini-api-key?api-key=g1&base-url=https://two.example", 200, ""),
        row("list.delete-unknown", "gemini-api-key?api-key=none", 404, "item not found"),
        row("list.delete-unknown", "gemini-api-key?api-key=g2&base-url=https://none.example", 404, "item not found"),
        row("list.delete-index", "gemini-api-key?index=2", 200, ""),
        row("list.delete-selector", "gemini-api-key?index=9", 400, "missing api-key or index"),
        row("list.delete-unknown", "claude-api-key?api-key=none", 200, ""),
        row("list.delete-selector", "claude-api-key?index=x", 400, "missing api-key or index"),
        row("list.delete-name list.delete-unknown", "openai-compatibility?name=none", 200, ""),
        row("list.delete-selector", "openai-compatibility", 400, "missing name or index"),
    ],
)
async def test_a_deletion_names_its_entry(served: Served, path: str, status: int, error: str) -> None:
    answer = await ask(served, f"DELETE {path}")
    assert (answer.status, answer.json) == (status, {"error": error} if error else OK)


@rule("save.comments")
async def test_a_deleted_entry_leaves_its_comments(served: Served) -> None:
    await ask(served, "DELETE openai-compatibility?name=solo")
    assert [entry["name"] for entry in entries(served, "openai-compatibility")] == ["bare"]
    assert "# solo" in served.runtime.config_path.read_text()
    assert "# key" in served.runtime.config_path.read_text()


@rule("save.mapping")
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


@rule("list.patch-index", "list.patch-first")
async def test_an_index_wins_over_a_match_and_the_first_match_is_edited(tmp_path: Path) -> None:
    text = "claude-api-key: [{api-key: c1, base-url: a}, {api-key: c2, base-url: b}, {api-key: c2, base-url: c}]\n"
    async with stock(tmp_path, text) as served:
        await ask(served, "PATCH claude-api-key", {"index": 0, "match": "c2", "value": {"prefix": "by-index"}})
        await ask(served, "PATCH claude-api-key", {"match": "c2", "value": {"prefix": "by-match"}})
        assert [entry.get("prefix") for entry in entries(served, "claude-api-key")] == ["by-index", "by-match", None]


@rule("list.delete-duplicates")
@pytest.mark.parametrize("query", ["?api-key=g&base-url=http://b", "?api-key=g&base-url="])
async def test_of_exact_duplicates_the_index_must_be_given(tmp_path: Path, query: str) -> None:
    text = "gemini-api-key:\n" + "".join(
        f"  - {{api-key: g, base-url: '{base}', prefix: {prefix}}}\n"
        for base in ("http://b", "")
        for prefix in ("p", "q")
    )
    async with stock(tmp_path, text) as served:
        answer = await ask(served, f"DELETE gemini-api-key{query}")
    assert (answer.status, answer.json) == (400, {"error": "multiple items match; index is required"})


@rule("list.delete-key", "list.delete-ambiguous")
@pytest.mark.parametrize("section", ["claude-api-key", "codex-api-key", "xai-api-key", "vertex-api-key"])
async def test_a_key_at_two_addresses_is_deleted_at_one_of_them(tmp_path: Path, section: str) -> None:
    text = f"{section}: [{{api-key: k, base-url: 'http://a'}}, {{api-key: k, base-url: 'http://b'}}]\n"
    async with stock(tmp_path, text) as served:
        answer = await ask(served, f"DELETE {section}?api-key=k")
        assert (answer.status, answer.json) == (400, {"error": "multiple items match api-key; base-url is required"})
        assert (await ask(served, f"DELETE {section}?api-key=k&base-url=http://a")).json == OK
        assert [entry["base-url"] for entry in entries(served, section)] == ["http://b"]
