from __future__ import annotations

from collections import Counter
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.system.client import path_of
from tests.system.conftest import Walk

# What an inspection must say of every account of the demo pool: entry, verdict, action under first_phase, action under
# configurable with its defaults. Written out here on purpose, and not read from the demo.
EXPECTED = (
    ("ok", "healthy", "keep", "keep"),
    ("wrong-key", "invalid_key", "disable", "disable"),
    ("forbidden", "forbidden", "disable", "disable"),
    ("unpaid", "out_of_quota", "disable", "keep"),
    ("rate-limited", "rate_limited", "disable", "keep"),
    ("weekly-limit", "out_of_quota", "disable", "keep"),
    ("failing", "provider_error", "disable", "keep"),
    ("no-models", "healthy", "keep", "keep"),
    ("no-get", "healthy", "keep", "keep"),
    ("other-model", "inconclusive", "keep", "keep"),
    ("slow", "healthy", "keep", "keep"),
    ("silent", "unreachable", "disable", "disable"),
    ("closing", "unreachable", "disable", "disable"),
    ("web-page", "blocked", "keep", "keep"),
    ("big", "healthy", "keep", "keep"),
    ("big-failing", "provider_error", "disable", "keep"),
    ("duo", "healthy", "keep", "keep"),
    ("duo", "invalid_key", "disable", "disable"),
    ("switched-off", "healthy", "enable", "enable"),
    ("claude-ok", "healthy", "keep", "keep"),
    ("claude-wrong-key", "invalid_key", "disable", "disable"),
    ("claude-failing", "provider_error", "disable", "keep"),
    ("claude-patterns", "forbidden", "disable", "disable"),
    ("claude-off", "healthy", "enable", "enable"),
    ("claude-off-wrong-key", "invalid_key", "keep", "keep"),
    ("", "no_base_url", "keep", "keep"),
    ("gemini-ok", "healthy", "keep", "keep"),
    ("gemini-native", "healthy", "keep", "keep"),
    ("gemini-wrong-key", "invalid_key", "disable", "disable"),
    ("codex-ok", "healthy", "keep", "keep"),
    ("codex-limited", "rate_limited", "disable", "keep"),
    ("vertex-ok", "healthy", "keep", "keep"),
)


def entry_of(base_url: str) -> str:
    return urlsplit(base_url).path.strip("/").partition("/")[0]


def judged(results: list[dict[str, Any]]) -> Counter[tuple[str, str, str]]:
    return Counter((entry_of(row["baseUrl"]), row["verdict"], row["action"]) for row in results)


@pytest.mark.parametrize(("policy", "column"), [("first_phase", 2), ("configurable", 3)])
def test_the_demo_pool_comes_out_as_the_table_says(walk: Walk, policy: str, column: int) -> None:
    run = walk.client.inspect(decisionPolicy=policy)

    expected = Counter((row[0], row[1], row[column]) for row in EXPECTED)
    results = walk.client.results(run["id"])
    assert judged(results) == expected
    assert (run["state"], run["total"], run["done"]) == ("finished", len(EXPECTED), len(EXPECTED))
    assert all(row["reason"] for row in results)


def test_evidence_is_kept_where_the_answer_was_not_200(walk: Walk) -> None:
    run = walk.client.inspect(targetType="compat", previewCharacters=100)

    by_entry = {entry_of(row["baseUrl"]): row for row in walk.client.results(run["id"])}
    assert by_entry["ok"]["preview"] == ""
    assert by_entry["big"]["preview"] == ""
    assert 0 < len(by_entry["big-failing"]["preview"]) <= 101
    assert by_entry["rate-limited"]["headers"]["retry-after"] == "30"
    assert [attempt["status"] for attempt in by_entry["no-models"]["attempts"]] == [404, 200]
    assert by_entry["silent"]["status"] == 0
    assert by_entry["switched-off"]["status"] == 200


def test_the_provider_filter_narrows_enumeration_and_statistics_alike(walk: Walk) -> None:
    pool = walk.client.own("GET", "pool", source="api_key", family="all", filter="DUO")
    run = walk.client.inspect(providerFilter="DUO")

    assert (pool["statistics"]["total"], len(pool["accounts"]), run["total"]) == (2, 2, 2)


def test_files_are_listed_and_counted_under_their_own_source(walk: Walk) -> None:
    pool = walk.client.own("GET", "pool", source="oauth")

    assert pool["statistics"]["total"] == len(pool["accounts"]) > 0
    assert {row["accountSource"] for row in pool["accounts"]} == {"oauth"}
    assert not any(row["runtimeOnly"] for row in pool["accounts"])


def test_files_can_be_narrowed_to_one_type(walk: Walk) -> None:
    pool = walk.client.own("GET", "pool", source="oauth", family="claude")

    assert {row["provider"] for row in pool["accounts"]} == {"claude"}


def test_an_unknown_family_of_keys_is_refused_by_name(walk: Walk) -> None:
    reply = walk.client.ask("GET", path_of("pool", source="api_key", family="vendor-z"))

    assert (reply.status, reply.body["code"]) == (400, "bad_setting")
    assert "vendor-a-apikey" in reply.body["error"]
