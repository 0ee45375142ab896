import base64
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


async def test_a_file_is_listed_with_the_fields_of_the_stock_gateway(bench: Bench) -> None:
    file = bench.add_file("claude-a@b.c.json", email="a@b.c", access_token="secret-token", note="n", request_retry=2)
    await bench.runtime.reload()
    bench.runtime.activity.record("claude-a@b.c.json", success=True)
    (entry,) = await list_entries(bench.runtime, name="claude-a@b.c.json")
    fields = entry.fields
    assert list(fields) == sorted(fields)
    assert set(fields) == ALWAYS | {
        "account", "account_type", "created_at", "email", "modtime", "note", "path", "request_retry", "updated_at",
    }  # fmt: skip
    assert (fields["account"], fields["account_type"], fields["source"]) == ("a@b.c", "oauth", "file")
    assert (fields["size"], fields["path"], fields["success"]) == (file.stat().st_size, str(file), 1)
    assert len(entry.recent) == 20
    assert "secret-token" not in json.dumps(dict(fields))


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


async def test_filters_must_both_match_and_find_nothing_without_an_error(bench: Bench) -> None:
    first = (await list_entries(bench.runtime))[0]
    index = first.credential.auth_index
    assert await list_entries(bench.runtime, first.name, index) == (first,)
    assert await list_entries(bench.runtime, first.name, "0" * 16) == ()
    assert await list_entries(bench.runtime, "absent") == ()


async def test_entries_are_sorted_by_lower_case_name(bench: Bench) -> None:
    bench.add_file("B.json")
    bench.add_file("a.json")
    await bench.runtime.reload()
    names = [each.name for each in await list_entries(bench.runtime)]
    assert names == sorted(names, key=str.lower)
    assert names[:2] == ["a.json", "B.json"]


async def test_the_stock_profile_lists_files_only(tmp_path: Path) -> None:
    async with running(tmp_path, extra="management-profile: stock\n") as bench:
        bench.add_file("a.json")
        await bench.runtime.reload()
        assert [each.name for each in await list_entries(bench.runtime)] == ["a.json"]


async def test_the_plan_of_a_codex_account_is_read_from_its_token(bench: Bench) -> None:
    claims = {"https://api.openai.com/auth": {"chatgpt_plan_type": "plus", "chatgpt_account_id": "acc", "other": 1}}
    payload = base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")
    bench.add_file("codex.json", type="codex", id_token=f"h.{payload}.s")
    bench.add_file("broken.json", type="codex", id_token="not a token")
    await bench.runtime.reload()
    (good,) = await list_entries(bench.runtime, "codex.json")
    (broken,) = await list_entries(bench.runtime, "broken.json")
    assert good.fields["id_token"] == {"chatgpt_account_id": "acc", "plan_type": "plus"}
    assert "id_token" not in broken.fields


@pytest.mark.parametrize(
    ("secret", "shown"),
    [("", "****"), ("12345678", "****"), ("123456789", "****6789"), ("x" * 90 + "abcd", "****abcd")],
)
def test_a_mask_shows_four_characters_at_most_and_none_of_a_short_key(secret: str, shown: str) -> None:
    assert mask(secret) == shown
