import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gateway.internal.operations.listing import list_entries, mask
from gateway.internal.operations.status import StatusChange, set_disabled
from tests.operations.gateways import Bench, running

ALWAYS = {
    "id", "auth_index", "name", "type", "provider", "label", "status", "status_message", "disabled", "unavailable",
    "runtime_only", "source", "size", "success", "failed", "recent_requests",
}  # fmt: skip


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    async with running(tmp_path) as bench:
        yield bench


async def test_a_key_is_listed_masked_without_an_account_and_stays_listed_when_disabled(bench: Bench) -> None:
    name = bench.id_of("sk-claude-key-1")
    await set_disabled(bench.runtime, [StatusChange(name, True)])
    (entry,) = await list_entries(bench.runtime, name=name)
    assert set(entry.fields) == ALWAYS | {"account_type", "attributes", "auth_kind", "base_url"}
    assert entry.fields["attributes"] == {"api_key": "****ey-1"}
    assert (entry.fields["disabled"], entry.fields["status"], entry.fields["runtime_only"]) == (True, "disabled", True)
    assert (entry.fields["auth_kind"], entry.fields["base_url"]) == ("api_key", "https://claude.example")


async def test_compat_keys_name_their_provider_and_hide_when_it_is_off(bench: Bench) -> None:
    entries = await list_entries(bench.runtime)
    assert sorted(str(each.fields["compat_name"]) for each in entries if "compat_name" in each.fields) == [
        "bare", "duo", "duo", "solo", "solo",
    ]  # fmt: skip


async def test_no_key_leaves_in_a_listing(bench: Bench) -> None:
    listed = json.dumps([dict(each.fields) for each in await list_entries(bench.runtime)])
    assert "sk-" not in listed
    assert "sk-" not in repr(await list_entries(bench.runtime))


@pytest.mark.parametrize(
    ("secret", "shown"),
    [("", "****"), ("12345678", "****"), ("123456789", "****6789"), ("x" * 90 + "abcd", "****abcd")],
)
def test_a_mask_shows_four_characters_at_most_and_none_of_a_short_key(secret: str, shown: str) -> None:
    assert mask(secret) == shown
