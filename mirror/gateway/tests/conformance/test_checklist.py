"""The fifteen points of the checklist, each once as a whole: what a client does one after the other.

Points 12, 13 and 15 are whole tests of their own, elsewhere: preserving, the plugins, the superset.
"""

from pathlib import Path
from typing import Any

from tests.conformance.pools import FILES, KINDS
from tests.conformance.rules import rule
from tests.conformance.stock import OK, ask, on_disk, stock
from tests.conformance.usage_pool import chat, pool
from tests.inference.pools import compat
from tests.loopback import answer, upstream
from tests.management.serving import AUTHORISED, HASH, KEY

NAME = "claude-a@b.c.json"


@rule("checklist.access")
async def test_keys_in_their_precedence_answers_bans_and_headers(tmp_path: Path) -> None:
    async with stock(tmp_path) as served:
        tries = [
            await ask(served, "GET debug", headers=headers)
            for headers in (
                {"Authorization": f"BEARER {KEY}"},
                {"Authorization": KEY, "X-Management-Key": "wrong"},
                {"X-Management-Key": KEY},
                *[{"Authorization": "wrong", "X-Management-Key": KEY}] * 4,
                {},
                AUTHORISED,
            )
        ]
    assert [got.status for got in tries] == [200, 200, 200, 401, 401, 401, 401, 401, 403]
    assert {got.headers["x-cpa-support-plugin"] for got in tries} == {"0"}


@rule("checklist.paths")
async def test_what_is_not_there_is_404_and_options_is_204(tmp_path: Path) -> None:
    async with stock(tmp_path) as served:
        missing = [await ask(served, call) for call in ("GET nowhere", "POST debug", "DELETE config", "GET plugins/x")]
        options = await ask(served, "OPTIONS nowhere", headers={})
    assert [(got.status, got.body) for got in missing] == [(404, b"")] * 4
    assert (options.status, options.body) == (204, b"")
    assert {got.headers["access-control-allow-origin"] for got in (*missing, options)} == {"*"}


@rule("checklist.health")
async def test_health_answers_get_and_head_and_nothing_else(tmp_path: Path) -> None:
    async with stock(tmp_path) as served:
        answers = [
            await served.request(method, "/healthz", headers={}) for method in ("GET", "HEAD", "POST", "OPTIONS")
        ]
    assert [(got.status, got.body) for got in answers] == [
        (200, b'{"status":"ok"}'),
        (200, b""),
        (404, b""),
        (204, b""),
    ]


@rule("checklist.listing")
async def test_the_listing_is_of_files_sorted_filtered_and_complete(tmp_path: Path) -> None:
    async with stock(tmp_path, KINDS, files=FILES) as served:
        everything: Any = (await ask(served, "GET auth-files")).json
        first = everything["files"][0]
        query = f"?name={NAME}&auth_index={first['auth_index']}"
        filtered = (await ask(served, f"GET auth-files{query}")).json
    assert [entry["name"] for entry in everything["files"]] == sorted(FILES, key=str.lower)
    assert filtered == {"files": [first]}
    assert len(first["recent_requests"]) == 20
    assert not any(entry["runtime_only"] for entry in everything["files"])


@rule("checklist.names")
async def test_ids_and_indexes_reach_every_kind_of_credential(tmp_path: Path) -> None:
    async with stock(tmp_path, KINDS, files=FILES) as served:
        known = {
            "gemini:apikey:4ce350283fc8": "279aa92e96e01e2d",
            "claude:apikey:6ddeb420187e": "b05dd67e136dc1c3",
            "openai-compatibility:openrouter:e61d0a8ce025": "9a016ae9f04dfb40",
            "openai-compatibility:local:7f6e7b6cfac1": "593005f1e1144acc",
            "vertex:apikey:e84ea10614fa": "d1ca533180eadbaf",
        }
        found = {each.id: each.auth_index for each in served.runtime.snapshot.credentials}
        assert known.items() <= found.items()
        assert "codex:apikey:d75dce924b3f" in found
        for index in known.values():
            assert (await ask(served, "POST reset-quota", {"auth_index": index})).status == 200


@rule("checklist.status")
async def test_status_of_a_file_a_key_and_a_compat_key(tmp_path: Path) -> None:
    async with stock(tmp_path, KINDS, files=FILES) as served:
        answers = [
            await ask(served, "PATCH auth-files/status", {"name": name, "disabled": True})
            for name in (NAME, "claude:apikey:6ddeb420187e", "openai-compatibility:openrouter:e61d0a8ce025", "none")
        ]
    assert [(got.status, got.json) for got in answers] == [
        (200, {"status": "ok", "disabled": True}),
        (200, {"status": "ok", "disabled": True, "via": "config:excluded-models", "excluded_pattern": "*"}),
        (404, {"error": "config api key entry not found"}),
        (404, {"error": "auth file not found"}),
    ]


@rule("checklist.lists")
async def test_a_list_is_got_put_patched_and_deleted_from(tmp_path: Path) -> None:
    one, two = {"api-key": "a", "base-url": "http://a"}, {"api-key": "b", "base-url": "http://b"}
    for name in (
        *("gemini-api-key", "interactions-api-key", "claude-api-key", "codex-api-key", "xai-api-key"),
        "vertex-api-key",
    ):
        (tmp_path / name).mkdir()
        async with stock(tmp_path / name) as served:
            assert (await ask(served, f"PUT {name}", {"items": [one]})).json == OK
            assert (await ask(served, f"PUT {name}", [one, two])).json == OK
            assert (await ask(served, f"PATCH {name}", {"index": 0, "value": {"prefix": "p"}})).json == OK
            assert (await ask(served, f"PATCH {name}", {"match": "b", "value": {"prefix": "q"}})).json == OK
            got: Any = (await ask(served, f"GET {name}")).json
            assert [entry["prefix"] for entry in got[name]] == ["p", "q"]
            assert all(len(entry["auth-index"]) == 16 for entry in got[name])
            assert (await ask(served, f"DELETE {name}?api-key=a")).json == OK
            unknown = (await ask(served, f"DELETE {name}?api-key=none")).status
            assert unknown == (404 if name.startswith(("gemini", "inter")) else 200)
            assert [entry["api-key"] for entry in on_disk(served)[name]] == ["b"]


@rule("checklist.scalars")
async def test_a_scalar_is_written_as_value_and_read_by_its_name(tmp_path: Path) -> None:
    async with stock(tmp_path) as served:
        assert (await ask(served, "PUT debug", {"value": True})).json == OK
        assert (await ask(served, "PATCH routing/strategy", {"value": "rr"})).json == OK
        assert (await ask(served, "GET debug")).json == {"debug": True}
        assert (await ask(served, "GET routing/strategy")).json == {"strategy": "round-robin"}


@rule("checklist.api-call")
async def test_a_call_says_what_the_upstream_said_and_sends_the_placeholder_of_an_unknown_index(
    tmp_path: Path,
) -> None:
    async with upstream(lambda _: answer(418, b"tea", X_Pot="1")) as provider, stock(tmp_path) as served:
        body = {"authIndex": "0" * 16, "method": "get", "url": provider.url, "header": {"X-Key": "$TOKEN$"}}
        got: Any = await ask(served, "POST api-call", body)
    assert (got.status, got.json["status_code"], got.json["body"]) == (200, 418, "tea")
    assert got.json["header"]["X-Pot"] == ["1"]
    assert provider.received[0].headers["x-key"] == "$TOKEN$"


@rule("checklist.queue")
async def test_the_queue_is_a_bare_list_and_forgets_what_it_hands_out(tmp_path: Path) -> None:
    async with pool(tmp_path, "openai-compatibility:\n" + compat("{url}", "ok-1")) as (served, _):
        for _ in range(3):
            await chat(served)
        sizes = []
        for query in ("", "?count=9", ""):
            got = (await ask(served, f"GET usage-queue{query}")).json
            assert isinstance(got, list)
            sizes.append(len(got))
        assert served.runtime.traffic.usage._retention == 60
    assert sizes == [1, 2, 0]


@rule("checklist.yaml")
async def test_config_yaml_goes_back_as_it_came_but_for_a_clear_text_secret(tmp_path: Path) -> None:
    async with stock(tmp_path, KINDS) as served:
        raw = (await ask(served, "GET config.yaml")).body
        assert (await ask(served, "PUT config.yaml", raw=raw)).json == {"ok": True, "changed": ["config"]}
        assert served.runtime.config_path.read_bytes() == raw
        await ask(served, "PUT config.yaml", raw=raw.replace(HASH.encode(), b"in clear"))
        assert str(on_disk(served)["remote-management"]["secret-key"]).startswith(("$2a$", "$2b$", "$2y$"))
        assert (await ask(served, "GET debug", headers={"X-Management-Key": "in clear"})).status == 200


@rule("checklist.models")
async def test_a_key_disabled_with_a_star_has_no_models(tmp_path: Path) -> None:
    text = "claude-api-key: [{api-key: a}, {api-key: b, excluded-models: ['*']}]\n"
    async with stock(tmp_path, text) as served:
        counts = []
        for credential in served.runtime.snapshot.credentials:
            got: Any = (await ask(served, f"GET auth-files/models?name={credential.id}")).json
            counts.append(len(got["models"]) > 0)
    assert counts == [True, False]
