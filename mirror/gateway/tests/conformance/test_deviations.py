"""Each row of the README's table of deviations: what the stock profile does, and what the extended one does instead."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from gateway.internal.configuration.model import Profile
from tests.conformance.pools import FILES, KINDS
from tests.conformance.stock import ask, on_disk, stock
from tests.loopback import answer, upstream
from tests.management.serving import Answer, Served

STATUS = "PATCH auth-files/status"
CLAUDE = "claude:apikey:6ddeb420187e"
OPEN_ROUTER = "openai-compatibility:openrouter:e61d0a8ce025"
PAIR = """openai-compatibility:
  - {name: duo, base-url: "http://d", api-key-entries: [{api-key: d1}, {api-key: d2}]}
"""
Asking = Callable[[Served], Awaitable[Any]]


async def both(folder: Path, asking: Asking, rest: str = KINDS) -> tuple[Any, Any]:
    """Ask a gateway in the stock profile, then one in the extended profile, and return what came of it."""
    found = []
    for profile in (Profile.STOCK, Profile.EXTENDED):
        (folder / profile.value).mkdir()
        async with stock(folder / profile.value, rest, files=FILES, profile=profile) as served:
            found.append(await asking(served))
    return found[0], found[1]


def told(got: Answer) -> tuple[int, object]:
    return got.status, got.json


async def switched(served: Served, name: str) -> tuple[int, object]:
    return told(await ask(served, STATUS, {"name": name, "disabled": True}))


async def test_configured_keys_are_listed_in_the_extended_profile_only_masked_and_without_account(
    tmp_path: Path,
) -> None:
    async def listed(served: Served) -> list[dict[str, Any]]:
        got: Any = (await ask(served, "GET auth-files")).json
        return list(got["files"])

    plain, more = await both(tmp_path, listed)
    assert [entry["name"] for entry in plain] == sorted(FILES, key=str.lower)
    keys = [entry for entry in more if entry["runtime_only"]]
    assert len(keys) == 8
    assert {entry["name"] for entry in more if not entry["runtime_only"]} == set(FILES)
    assert not any("account" in entry for entry in keys)
    shown = next(entry for entry in keys if entry["id"] == CLAUDE)
    assert (shown["disabled"], shown["base_url"]) == (False, "https://api.example.com")
    assert shown["attributes"] == {"api_key": "****"}
    assert "sk-" not in json.dumps(more)
    assert "AIza" not in json.dumps(more)


async def test_a_provider_with_one_key_is_switched_as_a_whole(tmp_path: Path) -> None:
    async def outcome(served: Served) -> Any:
        return (*await switched(served, OPEN_ROUTER), on_disk(served)["openai-compatibility"][0].get("disabled"))

    plain, more = await both(tmp_path, outcome)
    assert plain == (404, {"error": "config api key entry not found"}, None)
    assert more == (200, {"disabled": True, "status": "ok", "via": "config:disabled"}, True)


async def test_a_provider_with_two_keys_is_refused_by_name_and_nothing_is_written(tmp_path: Path) -> None:
    async def outcome(served: Served) -> Any:
        before = served.runtime.config_path.read_bytes()
        name = next(each.id for each in served.runtime.snapshot.credentials if each.api_key == "d1")
        found = await switched(served, name)
        assert served.runtime.config_path.read_bytes() == before
        return found

    plain, (status, body) = await both(tmp_path, outcome, PAIR)
    assert plain == (404, {"error": "config api key entry not found"})
    assert (status, body.keys()) == (409, {"error"})
    assert "duo" in body["error"]
    assert "/v0/management/openai-compatibility" in body["error"]


@pytest.mark.parametrize("name", ["b05dd67e136dc1c3", "4c1433b9bad2bd52"])
async def test_an_index_is_a_name_in_the_extended_profile(tmp_path: Path, name: str) -> None:
    async def outcome(served: Served) -> Any:
        given = served.runtime.snapshot.credentials[-1].auth_index if name.startswith("4c") else name
        return await switched(served, given)

    plain, (status, _) = await both(tmp_path, outcome)
    assert (plain, status) == ((404, {"error": "auth file not found"}), 200)


async def test_a_name_that_means_two_credentials_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    async def outcome(served: Served) -> Any:
        before = served.runtime.config_path.read_bytes()
        found = await switched(served, served.runtime.snapshot.credentials[0].auth_index)
        assert served.runtime.config_path.read_bytes() == before
        return found

    twins = "claude-api-key: [{api-key: k, prefix: a}, {api-key: k, prefix: b}]\n"
    plain, (status, body) = await both(tmp_path, outcome, twins)
    assert plain == (404, {"error": "auth file not found"})
    assert status == 409
    assert "names 2 credentials" in body["error"]


async def test_deleting_a_key_is_a_conflict_instead_of_an_unknown_file(tmp_path: Path) -> None:
    async def outcome(served: Served) -> Any:
        before = served.runtime.config_path.read_bytes()
        found = told(await ask(served, f"DELETE auth-files?name={CLAUDE}"))
        assert served.runtime.config_path.read_bytes() == before
        return found

    plain, (status, body) = await both(tmp_path, outcome)
    assert plain == (404, {"error": "auth file not found"})
    assert status == 409
    assert CLAUDE in body["error"]


async def test_a_call_with_an_unknown_index_is_refused_instead_of_sent_with_the_placeholder(tmp_path: Path) -> None:
    async with upstream(lambda _: answer()) as provider:

        async def outcome(served: Served) -> Any:
            body = {"method": "GET", "url": provider.url, "header": {"X": "$TOKEN$"}}
            provider.received.clear()
            answers = [await ask(served, "POST api-call", body | more) for more in ({"auth_index": "f" * 16}, {})]
            return [got.status for got in answers], [seen.headers["x"] for seen in provider.received]

        plain, more = await both(tmp_path, outcome)
    assert plain == ([200, 200], ["$TOKEN$", "$TOKEN$"])
    assert more == ([404, 400], [])


async def test_a_call_to_an_inner_address_nobody_configured_is_refused(tmp_path: Path) -> None:
    async with upstream(lambda _: answer()) as provider:

        async def outcome(served: Served) -> Any:
            got: Any = await ask(served, "POST api-call", {"method": "GET", "url": provider.url})
            return got.status, got.json.get("error")

        plain, more = await both(tmp_path, outcome)
    assert (plain, more) == ((200, None), (400, "address not allowed"))


async def test_a_long_body_is_cut(tmp_path: Path) -> None:
    size = 3 * 1024 * 1024
    async with upstream(lambda _: answer(body=b"x" * size)) as provider:

        async def outcome(served: Served) -> Any:
            got: Any = (await ask(served, "POST api-call", {"method": "GET", "url": provider.url})).json
            return len(got["body"]), got.get("truncated")

        plain, more = await both(tmp_path, outcome, "api-call-allow: [127.0.0.1]\n")
    assert (plain, more) == ((size, None), (2 * 1024 * 1024, True))


async def test_the_caller_may_shorten_the_time_and_hears_that_it_was_that(tmp_path: Path) -> None:
    async with upstream(lambda _: None) as provider:

        async def outcome(served: Served) -> Any:
            body = {"method": "GET", "url": provider.url, "timeout_seconds": 0.05}
            asking = asyncio.create_task(ask(served, "POST api-call", body))
            await provider.waiting.wait()
            done, _ = await asyncio.wait([asking], timeout=0.5)
            asking.cancel()
            return next(iter(done)).result().json if done else "still waiting"

        plain, more = await both(tmp_path, outcome, "api-call-allow: [127.0.0.1]\n")
    assert plain == "still waiting"
    assert (more["error"], more["kind"]) == ("request failed", "timeout")


async def test_a_failed_call_says_of_which_kind_it_was(tmp_path: Path) -> None:
    async def outcome(served: Served) -> Any:
        return told(await ask(served, "POST api-call", {"method": "GET", "url": "http://127.0.0.1:9/"}))

    plain, more = await both(tmp_path, outcome, "api-call-allow: [127.0.0.1]\n")
    assert plain == (502, {"error": "request failed"})
    assert more == (502, {"error": "request failed", "kind": "connect", "detail": "connection refused"})


@pytest.mark.parametrize("name", ["X-Forwarded-For", "X-Real-IP"])
async def test_a_forwarded_header_makes_nobody_remote_or_local(tmp_path: Path, name: str) -> None:
    async def outcome(served: Served) -> int:
        headers = {"Authorization": "Bearer mgmt-secret", name: "203.0.113.9"}
        return (await ask(served, "GET debug", headers=headers)).status

    assert await both(tmp_path, outcome) == (403, 200)
