import json
from pathlib import Path

import pytest

from tests.management.serving import Served, gateway, secured

LIST = "/v0/management/auth-files"
STATUS = "/v0/management/auth-files/status"
CLAUDE_ID = "claude:apikey:6ddeb420187e"
SOLO_ID = "openai-compatibility:openrouter:e61d0a8ce025"
POOL = """claude-api-key:
  - api-key: "sk-test" # the first
    base-url: "https://api.example.com"
openai-compatibility:
  # one key
  - name: "openrouter"
    base-url: "https://openrouter.ai/api/v1"
    api-key-entries:
      - api-key: "sk-or-1"
  # two keys
  - name: "duo"
    base-url: "https://duo.example/v1"
    api-key-entries:
      - api-key: "sk-duo-1"
      - api-key: "sk-duo-2"
"""
FILES = {
    "claude-a@b.c.json": json.dumps({"type": "claude", "email": "a@b.c", "access_token": "token-a"}),
    "codex-Z@b.c.json": json.dumps({"type": "codex", "email": "Z@b.c", "access_token": "token-z"}),
}


async def files(served: Served, query: str = "") -> list[dict[str, object]]:
    got = await served.request("GET", LIST + query)
    assert got.status == 200
    assert isinstance(got.json, dict)
    assert got.json.keys() == {"files"}
    listed = got.json["files"]
    assert isinstance(listed, list)
    return listed


async def names(served: Served, query: str = "") -> list[object]:
    return [entry["name"] for entry in await files(served, query)]


async def test_the_stock_profile_lists_files_only_sorted_by_name(tmp_path: Path) -> None:
    text = secured(tmp_path, f"{POOL}management-profile: stock\n")
    async with gateway(tmp_path, text, files=FILES) as served:
        assert await names(served) == ["claude-a@b.c.json", "codex-Z@b.c.json"]


async def test_a_listed_file_has_the_fields_of_the_stock_gateway(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path), files=FILES) as served:
        (entry,) = await files(served, "?name=claude-a%40b.c.json")
    assert list(entry) == sorted(entry)
    assert entry.keys() == {
        *("account", "account_type", "auth_index", "created_at", "disabled", "email", "failed", "id", "label"),
        *("modtime", "name", "path", "provider", "recent_requests", "runtime_only", "size", "source", "status"),
        *("status_message", "success", "type", "unavailable", "updated_at"),
    }
    assert (entry["account"], entry["account_type"], entry["source"]) == ("a@b.c", "oauth", "file")
    assert isinstance(entry["recent_requests"], list)
    assert len(entry["recent_requests"]) == 20


async def test_the_extended_profile_lists_keys_too_without_showing_them(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path, POOL), files=FILES) as served:
        got = await served.request("GET", LIST)
        (entry,) = await files(served, f"?name={CLAUDE_ID}")
    assert (entry["runtime_only"], entry["disabled"]) == (True, False)
    assert (entry["auth_index"], entry["base_url"]) == ("b05dd67e136dc1c3", "https://api.example.com")
    assert "account" not in entry
    assert not any(key in got.body for key in (b"sk-test", b"sk-or-1", b"sk-duo-1", b"token-a"))


@pytest.mark.parametrize("query", ["?name=absent.json", "?auth_index=ffffffffffffffff", "?name=%20absent%20"])
async def test_an_unmatched_filter_is_an_empty_list(tmp_path: Path, query: str) -> None:
    async with gateway(tmp_path, secured(tmp_path, POOL), files=FILES) as served:
        assert await files(served, query) == []


async def test_both_filters_must_match(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path, POOL)) as served:
        assert await names(served, "?auth_index=b05dd67e136dc1c3") == [CLAUDE_ID]
        assert await names(served, f"?auth_index=b05dd67e136dc1c3&name={CLAUDE_ID}") == [CLAUDE_ID]
        assert await names(served, f"?auth_index=b05dd67e136dc1c3&name={SOLO_ID}") == []


@pytest.mark.parametrize(
    ("body", "status", "text"),
    [
        (b"{nope", 400, "invalid request body"),
        (b'{"name":7,"disabled":true}', 400, "invalid request body"),
        (b'{"name":"x","disabled":"yes"}', 400, "invalid request body"),
        (b'{"disabled":true}', 400, "name is required"),
        (b'{"auth_index":"b05dd67e136dc1c3","disabled":true}', 400, "name is required"),
        (b'{"name":"x"}', 400, "disabled is required"),
        (b'{"name":"x","disabled":null}', 400, "disabled is required"),
        (b'{"name":"absent.json","disabled":true}', 404, "auth file not found"),
        (b'{"name":"claude-a@b.c.json","auth_index":"0000000000000000","disabled":true}', 404, "auth file not found"),
    ],
)
async def test_a_status_change_that_cannot_be_made(tmp_path: Path, body: bytes, status: int, text: str) -> None:
    async with gateway(tmp_path, secured(tmp_path, POOL), files=FILES) as served:
        before = served.runtime.text
        got = await served.request("PATCH", STATUS, data=body)
    assert (got.status, got.json) == (status, {"error": text})
    assert served.runtime.text == before


async def test_a_file_is_switched_off_and_on(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path), files=FILES) as served:
        for disabled, state in ((True, "disabled"), (False, "active")):
            got = await served.request("PATCH", STATUS, json={"name": "claude-a@b.c.json", "disabled": disabled})
            assert (got.status, got.json) == (200, {"disabled": disabled, "status": "ok"})
            (entry,) = await files(served, "?name=claude-a@b.c.json")
            assert (entry["disabled"], entry["status"]) == (disabled, state)


async def test_a_key_is_switched_off_by_excluding_its_models_and_comments_stay(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path, POOL)) as served:
        got = await served.request("PATCH", STATUS, json={"name": CLAUDE_ID, "disabled": True})
        (entry,) = await files(served, f"?name={CLAUDE_ID}")
        text = (tmp_path / "config.yaml").read_text()
    assert got.body == b'{"disabled":true,"excluded_pattern":"*","status":"ok","via":"config:excluded-models"}'
    assert entry["disabled"] is True
    assert "excluded-models" in text
    assert all(comment in text for comment in ("# the first", "# one key", "# two keys"))


async def test_a_provider_with_one_key_is_switched_as_a_whole_and_then_hidden(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path, POOL)) as served:
        got = await served.request("PATCH", STATUS, json={"name": SOLO_ID, "disabled": True})
        hidden = await names(served, f"?name={SOLO_ID}")
        again = await served.request("PATCH", STATUS, json={"name": SOLO_ID, "disabled": False})
        shown = await names(served, f"?name={SOLO_ID}")
    assert (got.status, again.status) == (200, 200)
    assert (hidden, shown) == ([], [SOLO_ID])


async def test_a_provider_with_two_keys_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path, POOL)) as served:
        before = (tmp_path / "config.yaml").read_bytes()
        duo = next(one.id for one in served.runtime.snapshot.credentials if one.api_key == "sk-duo-1")
        got = await served.request("PATCH", STATUS, json={"name": duo, "disabled": True})
        assert (tmp_path / "config.yaml").read_bytes() == before
    assert got.status == 409
    assert isinstance(got.json, dict)
    assert got.json.keys() == {"error"}


async def test_the_stock_profile_does_not_know_compat_keys(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path, f"{POOL}management-profile: stock\n")) as served:
        got = await served.request("PATCH", STATUS, json={"name": SOLO_ID, "disabled": True})
    assert (got.status, got.json) == (404, {"error": "config api key entry not found"})


async def test_one_file_is_deleted(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path), files=FILES) as served:
        got = await served.request("DELETE", f"{LIST}?name=claude-a@b.c.json")
        left = await names(served)
    assert (got.status, got.json, left) == (200, {"status": "ok"}, ["codex-Z@b.c.json"])


@pytest.mark.parametrize(
    "body",
    [
        b'["claude-a@b.c.json", " codex-Z@b.c.json ", "codex-Z@b.c.json"]',
        b'{"name":"claude-a@b.c.json","names":["codex-Z@b.c.json"]}',
    ],
)
async def test_several_files_are_deleted_by_the_body(tmp_path: Path, body: bytes) -> None:
    async with gateway(tmp_path, secured(tmp_path), files=FILES) as served:
        got = await served.request("DELETE", LIST, data=body)
    assert (got.status, got.json) == (
        200,
        {"deleted": 2, "files": ["claude-a@b.c.json", "codex-Z@b.c.json"], "status": "ok"},
    )


async def test_what_could_not_be_deleted_is_named_with_207(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path), files=FILES) as served:
        got = await served.request("DELETE", f"{LIST}?name=codex-Z@b.c.json&name=absent.json", data=b"ignored")
    assert (got.status, got.json) == (
        207,
        {
            "deleted": 1,
            "failed": [{"error": "auth file not found", "name": "absent.json"}],
            "files": ["codex-Z@b.c.json"],
            "status": "partial",
        },
    )


@pytest.mark.parametrize("value", ["true", "1", "*"])
async def test_all_files_are_deleted(tmp_path: Path, value: str) -> None:
    async with gateway(tmp_path, secured(tmp_path, POOL), files=FILES) as served:
        got = await served.request("DELETE", f"{LIST}?all={value}")
        left = await names(served)
    assert (got.status, got.json) == (200, {"deleted": 2, "status": "ok"})
    assert len(left) == 4


@pytest.mark.parametrize(
    ("query", "body", "status", "text"),
    [
        ("", b"", 400, "invalid name"),
        ("?name=%20", b"", 400, "invalid name"),
        ("?all=yes", b"", 400, "invalid name"),
        ("?name=..%2Fconfig.json", b"", 400, "invalid name"),
        ("?name=absent.json", b"", 404, "auth file not found"),
        ("", b"{nope", 400, "invalid request body"),
        ("", b'{"name":7}', 400, "invalid request body"),
        ("", b"[1]", 400, "invalid request body"),
    ],
)
async def test_a_deletion_that_cannot_be_made(tmp_path: Path, query: str, body: bytes, status: int, text: str) -> None:
    async with gateway(tmp_path, secured(tmp_path), files=FILES) as served:
        got = await served.request("DELETE", LIST + query, data=body)
        assert len(await files(served)) == 2
    assert (got.status, got.json) == (status, {"error": text})


async def test_a_key_is_never_deleted(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path, POOL)) as served:
        before = (tmp_path / "config.yaml").read_bytes()
        got = await served.request("DELETE", f"{LIST}?name={CLAUDE_ID}")
        assert (tmp_path / "config.yaml").read_bytes() == before
    assert got.status == 409


async def test_for_the_stock_profile_a_key_is_no_file(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path, f"{POOL}management-profile: stock\n")) as served:
        got = await served.request("DELETE", f"{LIST}?name={CLAUDE_ID}")
    assert (got.status, got.json) == (404, {"error": "auth file not found"})
