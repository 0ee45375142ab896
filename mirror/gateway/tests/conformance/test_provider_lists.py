"""The seven lists of API keys over HTTP: shown and replaced."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.key_pool import entries, pool
from tests.conformance.rules import row, rule
from tests.conformance.stock import OK, ask, stock
from tests.management.serving import Served

ENTRY = {"api-key": "k", "base-url": "http://b"}


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with pool(tmp_path) as running:
        yield running


@rule("list.get", "list.index-entry")
async def test_entries_are_shown_with_the_index_of_their_credential(served: Served) -> None:
    answer = await ask(served, "GET claude-api-key")
    index = {each.api_key: each.auth_index for each in served.runtime.snapshot.credentials}
    common = {"base-url": "", "proxy-url": "", "models": None}
    assert answer.json == {
        "claude-api-key": [
            {"api-key": "c1", **common, "auth-index": index["c1"]},
            {"api-key": "c2", "priority": 3, **common, "auth-index": index["c2"]},
        ]
    }


@rule("list.index-compat")
async def test_keys_of_a_provider_have_indexes_and_a_provider_without_keys_has_one(served: Served) -> None:
    answer: Any = (await ask(served, "GET openai-compatibility")).json
    solo, bare = answer["openai-compatibility"]
    index = {(each.compat_name, each.api_key): each.auth_index for each in served.runtime.snapshot.credentials}
    assert solo["api-key-entries"] == [{"api-key": "s1", "auth-index": index["solo", "s1"]}]
    assert "auth-index" not in solo
    assert bare["auth-index"] == index["bare", ""]


@rule("list.index-off")
async def test_a_provider_that_is_switched_off_has_no_index(served: Served) -> None:
    assert (await ask(served, "PATCH openai-compatibility", {"name": "solo", "value": {"disabled": True}})).json == OK
    answer: Any = (await ask(served, "GET openai-compatibility")).json
    assert answer["openai-compatibility"][0]["disabled"] is True
    assert answer["openai-compatibility"][0]["api-key-entries"] == [{"api-key": "s1"}]


@rule("list.round-trip")
async def test_what_was_got_can_be_put_back_without_a_change(served: Served) -> None:
    before = served.runtime.config_path.read_text()
    for section in ("gemini-api-key", "claude-api-key", "codex-api-key", "vertex-api-key", "openai-compatibility"):
        got: Any = (await ask(served, f"GET {section}")).json
        assert (await ask(served, f"PUT {section}", got[section])).json == OK
    assert served.runtime.config_path.read_text() == before


@rule("save.identity", "save.comments")
async def test_an_edited_list_keeps_comments_unknown_keys_and_entries_nobody_sees(served: Served) -> None:
    got: Any = (await ask(served, "GET claude-api-key")).json
    first, second = got["claude-api-key"]
    await ask(served, "PUT claude-api-key", [second, {"api-key": "c3"}, first | {"prefix": "/team/"}])
    text = served.runtime.config_path.read_text()
    assert entries(served, "claude-api-key") == [
        {"api-key": "c2", "priority": 3},
        {"api-key": "c3"},
        {"api-key": "c1", "my-own": 7, "prefix": "team"},
    ]
    assert "  # first\n  - api-key: c1 # one\n" in text
    await ask(served, "PUT codex-api-key", [])
    assert entries(served, "codex-api-key") == [{"api-key": "nowhere"}]


@pytest.mark.parametrize(
    "section",
    [
        *("gemini-api-key", "interactions-api-key", "claude-api-key", "codex-api-key", "xai-api-key"),
        *("openai-compatibility", "vertex-api-key"),
    ],
)
@rule("list.empty", "list.put-array", "list.ok")
async def test_an_emptied_list_is_an_empty_one(served: Served, section: str) -> None:
    assert (await ask(served, f"PUT {section}", [])).json == OK
    assert (await ask(served, f"GET {section}")).json == {section: []}


@pytest.mark.parametrize(
    ("section", "entry", "shown"),
    [
        row("list.always", "gemini-api-key", {"api-key": "k"}, {"api-key"}),
        row("list.always", "interactions-api-key", {"api-key": "k"}, {"api-key"}),
        row("list.always", "claude-api-key", {"api-key": "k"}, {"api-key", "base-url", "proxy-url", "models"}),
        row("list.always", "codex-api-key", ENTRY, {"api-key", "base-url", "proxy-url", "models"}),
        row("list.always", "xai-api-key", ENTRY, {"api-key", "base-url", "proxy-url", "models"}),
        row("list.always", "vertex-api-key", {"api-key": "k"}, {"api-key"}),
        row(
            "list.always",
            "openai-compatibility",
            {"name": "n", "base-url": "http://b"},
            {"name", "disabled", "base-url"},
        ),
    ],
)
async def test_an_entry_shows_these_fields_always(served: Served, section: str, entry: object, shown: set[str]) -> None:
    await ask(served, f"PUT {section}", [entry])
    got: Any = (await ask(served, f"GET {section}")).json
    (only,) = got[section]
    assert only.keys() == shown | {"auth-index"}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        row("list.put-array", [], 200),
        row("list.put-items", {"items": [{"api-key": "n"}]}, 200),
        row("list.put-items", {"Items": [{"API-Key": "n"}]}, 200),
        row("list.put-other", {"items": []}, 400),
        row("list.put-other", {"value": [{"api-key": "n"}]}, 400),
        row("list.put-other", {"claude-api-key": []}, 400),
        row("list.invalid", "text", 400),
        row("list.invalid", [1], 400),
        row("list.invalid", [{"api-key": 1}], 400),
        row("list.invalid", [{"priority": "high"}], 400),
        row("list.invalid", [{"models": [{"name": 1}]}], 400),
        row("list.invalid", [{"headers": {"A": 1}}], 400),
    ],
)
async def test_a_list_is_put_bare_or_as_items(served: Served, body: object, status: int) -> None:
    answer = await ask(served, "PUT claude-api-key", body)
    assert answer.status == status
    assert answer.json == (OK if status == 200 else {"error": "invalid body"})


@pytest.mark.parametrize(
    ("section", "entries", "error"),
    [
        row(
            "list.weight",
            "gemini-api-key",
            [{"api-key": "a", "weight": 1000001}],
            "gemini-api-key[0].weight: weight must not exceed 1000000",
        ),
        row(
            "list.weight",
            "openai-compatibility",
            [{"name": "n", "base-url": "http://b", "api-key-entries": [{"api-key": "k", "weight": 1000001}]}],
            "openai-compatibility[0].api-key-entries[0].weight: weight must not exceed 1000000",
        ),
        row(
            "list.profile",
            "claude-api-key",
            [{"api-key": "a"}, {"api-key": "b", "fingerprint-profile": "odd"}],
            (
                'claude-api-key[1].fingerprint-profile: unsupported fingerprint-profile "odd" '
                '(supported: "claude-code-cli" or empty)'
            ),
        ),
        row("list.vertex-key", "vertex-api-key", [{"base-url": "http://b"}], "vertex-api-key[0].api-key is required"),
    ],
)
async def test_an_impossible_entry_is_refused_by_its_place(
    served: Served, section: str, entries: object, error: str
) -> None:
    before = served.runtime.config_path.read_text()
    answer = await ask(served, f"PUT {section}", entries)
    assert (answer.status, answer.json) == (400, {"error": error})
    assert served.runtime.config_path.read_text() == before


@rule("list.dropped", "list.collapsed", "list.vertex-collapsed", "normal.no-base", "normal.gemini", "normal.vertex")
async def test_entries_that_cannot_count_or_repeat_are_dropped(served: Served) -> None:
    base = {"base-url": "http://b"}
    await ask(served, "PUT xai-api-key", [{"api-key": "a"}, {"api-key": "b", **base}])
    await ask(served, "PUT interactions-api-key", [{"api-key": "a"}, {"api-key": " a "}, {"api-key": "a", **base}, {}])
    await ask(served, "PUT vertex-api-key", [{"api-key": "a"}, {"api-key": "a", "prefix": "p"}])
    assert entries(served, "xai-api-key") == [{"api-key": "b", **base}]
    assert entries(served, "interactions-api-key") == [{"api-key": "a"}, {"api-key": "a", **base}]
    assert entries(served, "vertex-api-key") == [{"api-key": "a"}]


@rule("list.index-omitted")
async def test_an_entry_that_says_nothing_is_shown_without_an_index(tmp_path: Path) -> None:
    async with stock(tmp_path, "claude-api-key: [{prefix: p}, {api-key: k}]\n") as served:
        got: Any = (await ask(served, "GET claude-api-key")).json
    assert [("auth-index" in entry) for entry in got["claude-api-key"]] == [False, True]
