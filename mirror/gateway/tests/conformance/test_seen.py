"""Where the keys of config.yaml are seen, as they are in no listing of the stock profile."""

from pathlib import Path
from typing import Any

import pytest

from tests.conformance.pools import KINDS
from tests.conformance.rules import rule
from tests.conformance.stock import ask, stock
from tests.inference.pools import CHAT, CLIENT, pool, records


@rule("seen.lists", "call.hidden-keys")
async def test_the_lists_show_keys_in_clear_with_their_index(tmp_path: Path) -> None:
    async with stock(tmp_path, KINDS) as served:
        got: Any = (await ask(served, "GET claude-api-key")).json
    (entry,) = got["claude-api-key"]
    assert (entry["api-key"], entry["auth-index"]) == ("sk-test", "b05dd67e136dc1c3")


@rule("seen.usage", "seen.queue")
async def test_counters_and_records_name_the_key(tmp_path: Path) -> None:
    async with pool(tmp_path, rest="management-profile: stock\n") as (served, upstream):
        await served.request("POST", "/v1/chat/completions", headers=CLIENT, json=CHAT)
        usage: Any = (await ask(served, "GET api-key-usage")).json
        (record,) = await records(served)
        index = served.runtime.snapshot.credentials[0].auth_index
    assert usage["solo"][f"{upstream.url}/v1|ok-solo-1"]["success"] == 1
    assert (record["source"], record["auth_index"]) == ("ok-solo-1", index)


@rule("seen.models", "models.key")
@pytest.mark.parametrize("profile", ["stock", "extended"])
async def test_the_models_of_a_key_are_asked_for_by_its_computed_id(tmp_path: Path, profile: str) -> None:
    rest = f"management-profile: {profile}\n"
    async with pool(tmp_path, rest=rest) as (served, _):
        name = served.runtime.snapshot.credentials[0].id
        got: Any = (await ask(served, f"GET auth-files/models?name={name}")).json
    assert [model["id"] for model in got["models"]] == ["demo-model"]
