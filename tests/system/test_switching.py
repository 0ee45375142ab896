from __future__ import annotations

import re
from typing import Any

import yaml

from tests.system.conftest import Walk
from tests.system.test_verdicts import entry_of


def comments(text: str) -> list[str]:
    return re.findall(r"#.*", text)


def account(walk: Walk, entry: str) -> dict[str, Any]:
    return next(row for row in walk.client.accounts() if entry_of(row["baseUrl"]) == entry)


def switch(walk: Walk, entry: str, *, disabled: bool) -> dict[str, Any]:
    body = {"accounts": [account(walk, entry)["id"]], "disabled": disabled, "reason": "a test"}
    action: dict[str, Any] = walk.client.own("POST", "pool/status", body)["actions"][0]
    return action


def provider(walk: Walk, name: str) -> dict[str, Any]:
    rows = yaml.safe_load(walk.config)["openai-compatibility"]
    return next(row for row in rows if row["name"] == name)


def vendor_b(walk: Walk, entry: str) -> dict[str, Any]:
    rows = yaml.safe_load(walk.config)["claude-api-key"]
    return next(row for row in rows if entry_of(row.get("base-url", "")) == entry)


def listed(walk: Walk) -> dict[str, dict[str, Any]]:
    files = walk.client.gateway("GET", "auth-files").body["files"]
    return {entry_of(row.get("base_url", "")): row for row in files}


def statistics(walk: Walk) -> dict[str, int]:
    counts: dict[str, int] = walk.client.own("GET", "pool", source="api_key")["statistics"]
    return counts


def test_a_single_key_provider_is_disabled_in_the_configuration_and_enabled_again(walk: Walk) -> None:
    before, counts = walk.config, statistics(walk)

    action = switch(walk, "wrong-key", disabled=True)

    assert action["outcome"] == "applied", action
    assert provider(walk, "wrong-key")["disabled"] is True
    assert comments(walk.config) == comments(before)
    assert "wrong-key" not in listed(walk)
    assert account(walk, "wrong-key")["enabled"] is False
    assert statistics(walk) == {**counts, "enabled": counts["enabled"] - 1, "disabled": counts["disabled"] + 1}

    assert switch(walk, "wrong-key", disabled=False)["outcome"] == "applied"
    assert provider(walk, "wrong-key").get("disabled", False) is False
    assert "wrong-key" in listed(walk)
    assert statistics(walk) == counts
    assert comments(walk.config) == comments(before)


def test_a_provider_with_two_keys_is_refused_and_nothing_is_written(walk: Walk) -> None:
    before = walk.config

    action = switch(walk, "duo", disabled=True)

    assert action["outcome"] == "refused"
    assert "duo" in action["text"]
    assert walk.config == before
    assert account(walk, "duo")["enabled"] is True


def test_a_vendor_key_is_disabled_by_excluding_every_model_and_stays_listed(walk: Walk) -> None:
    assert switch(walk, "claude-wrong-key", disabled=True)["outcome"] == "applied"

    assert vendor_b(walk, "claude-wrong-key")["excluded-models"] == ["*"]
    assert listed(walk)["claude-wrong-key"]["disabled"] is True
    assert account(walk, "claude-wrong-key")["enabled"] is False

    assert switch(walk, "claude-wrong-key", disabled=False)["outcome"] == "applied"
    assert "*" not in (vendor_b(walk, "claude-wrong-key").get("excluded-models") or [])
    assert account(walk, "claude-wrong-key")["enabled"] is True


def test_patterns_an_operator_wrote_survive_disabling_and_enabling(walk: Walk) -> None:
    written = vendor_b(walk, "claude-patterns")["excluded-models"]

    assert switch(walk, "claude-patterns", disabled=True)["outcome"] == "applied"
    assert vendor_b(walk, "claude-patterns")["excluded-models"] == [*written, "*"]

    assert switch(walk, "claude-patterns", disabled=False)["outcome"] == "applied"
    assert vendor_b(walk, "claude-patterns")["excluded-models"] == written


def test_disabling_twice_changes_nothing_the_second_time(walk: Walk) -> None:
    switch(walk, "failing", disabled=True)
    after = walk.config

    assert switch(walk, "failing", disabled=True)["outcome"] == "unchanged"
    assert walk.config == after


def test_a_selection_is_switched_as_one_batch_and_a_refusal_stops_no_other(walk: Walk) -> None:
    ids = [account(walk, entry)["id"] for entry in ("unpaid", "duo", "claude-failing")]

    actions = walk.client.own("POST", "pool/status", {"accounts": ids, "disabled": True})["actions"]

    assert [row["account"] for row in actions] == ids
    assert [row["outcome"] for row in actions] == ["applied", "refused", "applied"]


def test_a_key_is_never_deleted_and_a_file_is(walk: Walk) -> None:
    before = walk.config
    files = walk.client.accounts("oauth")
    key, file = account(walk, "ok"), files[0]

    refused = walk.client.ask("POST", "/v0/management/poolkeeper/pool/delete", {"accounts": [file["id"], key["id"]]})
    assert (refused.status, refused.body["code"]) == (409, "delete_refused")
    assert walk.config == before
    assert len(walk.client.accounts("oauth")) == len(files)
    assert key["deletable"] is False

    done = walk.client.own("POST", "pool/delete", {"accounts": [file["id"]]})["actions"]
    assert done[0]["outcome"] == "applied"
    assert not (walk.folder.path / "auths" / file["fileName"]).exists()
    assert file["id"] not in {row["id"] for row in walk.client.accounts("oauth")}


def test_a_file_is_disabled_and_enabled(walk: Walk) -> None:
    file = next(row for row in walk.client.accounts("oauth") if row["enabled"])
    path = walk.folder.path / "auths" / file["fileName"]
    before = path.read_bytes()

    def switch(*, disabled: bool) -> None:
        body = {"accounts": [file["id"]], "disabled": disabled}
        assert walk.client.own("POST", "pool/status", body)["actions"][0]["outcome"] == "applied"

    switch(disabled=True)
    assert yaml.safe_load(path.read_text("utf-8"))["disabled"] is True
    switch(disabled=False)
    assert path.read_bytes() == before
