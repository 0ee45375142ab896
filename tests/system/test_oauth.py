from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.system.conftest import Walk

# What an inspection must say of every OAuth file of the demo pool when it sees it for the first time: verdict, action
# under first_phase, action under configurable with its defaults. Written out here on purpose, not read from the demo.
EXPECTED: Mapping[str, tuple[str, str, str]] = {
    "claude-ada@example.com.json": ("healthy", "keep", "keep"),
    "claude-bob@example.com.json": ("healthy", "enable", "enable"),
    "claude-eve@example.com.json": ("relogin_needed", "disable", "disable"),
    "claude-gus@example.com.json": ("out_of_quota", "disable", "keep"),
    "claude-ida@example.com.json": ("revoked", "disable", "disable"),
    "claude-jo@example.com.json": ("out_of_quota", "keep", "keep"),
    "codex-cy@example.com-plus.json": ("healthy", "keep", "keep"),
    "codex-fay@example.com-plus.json": ("revoked", "disable", "disable"),
    "codex-hal@example.com-plus.json": ("out_of_quota", "disable", "keep"),
    "codex-kim@example.com-plus.json": ("out_of_quota", "disable", "keep"),
    "codex-lee@example.com-plus.json": ("inconclusive", "keep", "keep"),
    "codex-max@example.com-plus.json": ("provider_error", "disable", "keep"),
    "codex-ned@example.com-plus.json": ("relogin_needed", "keep", "keep"),
    "kimi-1700000000000.json": ("healthy", "keep", "keep"),
    "kimi-1700000000001.json": ("out_of_quota", "disable", "keep"),
    "kimi-1700000000002.json": ("relogin_needed", "disable", "disable"),
    "xai-ora@example.com.json": ("healthy", "keep", "keep"),
    "xai-pat@example.com.json": ("out_of_quota", "disable", "keep"),
    "xai-quinn@example.com.json": ("healthy", "keep", "keep"),
    "xai-ray@example.com.json": ("revoked", "disable", "disable"),
    "antigravity-sue@example.com.json": ("healthy", "keep", "keep"),
    "antigravity-tom@example.com.json": ("out_of_quota", "disable", "keep"),
    "antigravity-uma@example.com.json": ("relogin_needed", "disable", "disable"),
    "qwen-val@example.com.json": ("healthy", "keep", "keep"),
    "qwen-wes@example.com.json": ("no_base_url", "keep", "keep"),
}


@pytest.mark.parametrize(("policy", "column"), [("first_phase", 1), ("configurable", 2)])
def test_every_file_is_checked_by_its_own_type_and_comes_out_as_the_table_says(
    walk: Walk, policy: str, column: int
) -> None:
    files = {row["id"]: row["fileName"] for row in walk.client.accounts("oauth")}
    run = walk.client.inspect(accountSource="oauth", decisionPolicy=policy)

    results = {files[row["account"]]: row for row in walk.client.results(run["id"])}
    judged = {name: (row["verdict"], row["action"]) for name, row in results.items()}
    assert judged == {name: (row[0], row[column]) for name, row in EXPECTED.items()}
    assert (run["state"], run["total"]) == ("finished", len(EXPECTED))
    assert "It resets 2030-01-01 05:00 UTC." in results["codex-hal@example.com-plus.json"]["reason"]


def test_a_run_over_files_asks_nobody_but_the_stand_in(walk: Walk) -> None:
    run = walk.client.inspect(accountSource="oauth")

    urls = {attempt["url"] for row in walk.client.results(run["id"]) for attempt in row["attempts"]}
    assert urls
    assert {url.partition("/vendors/")[0] for url in urls if "/vendors/" in url} == {walk.providers.address}
    assert all(url.startswith(walk.providers.address) for url in urls)


def test_a_target_narrows_a_run_to_one_type(walk: Walk) -> None:
    run = walk.client.inspect(accountSource="oauth", targetType="kimi")

    assert run["total"] == 3
    assert {row["provider"] for row in walk.client.results(run["id"])} == {"kimi"}
