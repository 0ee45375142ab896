"""Configured keys in the listing of the extended profile, and switching them."""

import json
from pathlib import Path

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


async def test_the_extended_profile_lists_keys_too_without_showing_them(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path, POOL), files=FILES) as served:
        got = await served.request("GET", LIST)
        (entry,) = await files(served, f"?name={CLAUDE_ID}")
    assert (entry["runtime_only"], entry["disabled"]) == (True, False)
    assert (entry["auth_index"], entry["base_url"]) == ("b05dd67e136dc1c3", "https://api.example.com")
    assert "account" not in entry
    assert not any(key in got.body for key in (b"sk-test", b"sk-or-1", b"sk-duo-1", b"token-a"))


async def test_both_filters_must_match(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path, POOL)) as served:
        assert await names(served, "?auth_index=b05dd67e136dc1c3") == [CLAUDE_ID]
        assert await names(served, f"?auth_index=b05dd67e136dc1c3&name={CLAUDE_ID}") == [CLAUDE_ID]
        assert await names(served, f"?auth_index=b05dd67e136dc1c3&name={SOLO_ID}") == []


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
