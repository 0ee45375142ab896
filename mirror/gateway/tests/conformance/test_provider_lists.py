"""The seven lists of API keys over HTTP: shown and replaced."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.key_pool import entries, pool
from tests.conformance.stock import OK, ask
from tests.management.serving import Served

ENTRY = {"api-key": "k", "base-url": "http://b"}


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with pool(tmp_path) as running:
        yield running


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


async def test_keys_of_a_provider_have_indexes_and_a_provider_without_keys_has_one(served: Served) -> None:
    answer: Any = (await ask(served, "GET openai-compatibility")).json
    solo, bare = answer["openai-compatibility"]
    index = {(each.compat_name, each.api_key): each.auth_index for each in served.runtime.snapshot.credentials}
    assert solo["api-key-entries"] == [{"api-key": "s1", "auth-index": index["solo", "s1"]}]
    assert "auth-index" not in solo
    assert bare["auth-index"] == index["bare", ""]


async def test_a_provider_that_is_switched_off_has_no_index(served: Served) -> None:
    assert (await ask(served, "PATCH openai-compatibility", {"name": "solo", "value": {"disabled": True}})).json == OK
    answer: Any = (await ask(served, "GET openai-compatibility")).json
    assert answer["openai-compatibility"][0]["disabled"] is True
    assert answer["openai-compatibility"][0]["api-key-entries"] == [{"api-key": "s1"}]


async def test_what_was_got_can_be_put_back_without_a_change(served: Served) -> None:
    before = served.runtime.config_path.read_text()
    for section in ("gemini-api-key", "claude-api-key", "codex-api-key", "vertex-api-key", "openai-compatibility"):
        got: Any = (await ask(served, f"GET {section}")).json
        assert (await ask(served, f"PUT {section}", got[section])).json == OK
    assert served.runtime.config_path.read_text() == before


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
    ("section", "entry", "shown"),
    [
        ("gemini-api-key", {"api-key": "k"}, {"api-key"}),
        ("interactions-api-key", {"api-key": "k"}, {"api-key"}),
        ("claude-api-key", {"api-key": "k"}, {"api-key", "base-url", "proxy-url", "models"}),
        ("codex-api-key", ENTRY, {"api-key", "base-url", "proxy-url", "models"}),
        ("xai-api-key", ENTRY, {"api-key", "base-url", "proxy-url", "models"}),
        ("vertex-api-key", {"api-key": "k"}, {"api-key"}),
        ("openai-compatibility", {"name": "n", "base-url": "http://b"}, {"name", "disabled", "base-url"}),
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
        ([], 200),
        ({"items": [{"api-key": "n"}]}, 200),
        ({"Items": [{"API-Key": "n"}]}, 200),
        ({"items": []}, 400),
        ({"value": [{"api-key": "n"}]}, 400),
        ({"claude-api-key": []}, 400),
        ("text", 400),
        ([1], 400),
        ([{"api-key": 1}], 400),
        ([{"priority": "high"}], 400),
        ([{"models": [{"name": 1}]}], 400),
        ([{"headers": {"A": 1}}], 400),
    ],
)
async def test_a_list_is_put_bare_or_as_items(served: Served, body: object, status: int) -> None:
    answer = await ask(served, "PUT claude-api-key", body)
    assert answer.status == status
    assert answer.json == (OK if status == 200 else {"error": "invalid body"})


@pytest.mark.parametrize(
    ("section", "entries", "error"),
    [
        (
            "gemini-api-key",
            [{"api-key": "a", "weight": 1000001}],
            "gemini-api-key[0].weight: weight must not exceed 1000000",
        ),
        (
            "openai-compatibility",
            [{"name": "n", "base-url": "http://b", "api-key-entries": [{"api-key": "k", "weight": 1000001}]}],
            "openai-compatibility[0].api-key-entries[0].weight: weight must not exceed 1000000",
        ),
        (
            "claude-api-key",
            [{"api-key": "a"}, {"api-key": "b", "fingerprint-profile": "odd"}],
            (
                'claude-api-key[1].fingerprint-profile: unsupported fingerprint-profile "odd" '
                '(supported: "claude-code-cli" or empty)'
            ),
        ),
        ("vertex-api-key", [{"base-url": "http://b"}], "vertex-api-key[0].api-key is required"),
    ],
)
async def test_an_impossible_entry_is_refused_by_its_place(
    served: Served, section: str, entries: object, error: str
) -> None:
    before = served.runtime.config_path.read_text()
    answer = await ask(served, f"PUT {section}", entries)
    assert (answer.status, answer.json) == (400, {"error": error})
    assert served.runtime.config_path.read_text() == before


async def test_entries_that_cannot_count_or_repeat_are_dropped(served: Served) -> None:
    base = {"base-url": "http://b"}
    await ask(served, "PUT xai-api-key", [{"api-key": "a"}, {"api-key": "b", **base}])
    await ask(served, "PUT interactions-api-key", [{"api-key": "a"}, {"api-key": " a "}, {"api-key": "a", **base}, {}])
    await ask(served, "PUT vertex-api-key", [{"api-key": "a"}, {"api-key": "a", "prefix": "p"}])
    assert entries(served, "xai-api-key") == [{"api-key": "b", **base}]
    assert entries(served, "interactions-api-key") == [{"api-key": "a"}, {"api-key": "a", **base}]
    assert entries(served, "vertex-api-key") == [{"api-key": "a"}]
