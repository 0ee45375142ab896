"""Auth files over a management API: their addresses, the redaction of their answers, and accounts in memory."""

from collections.abc import Mapping
from typing import Any

import pytest
from aiohttp import web

from adapter.management import ManagementConnection
from adapter.port import Answer, Applied, Change, KeyRef, OutboundCall, Switch
from tests.adapter.management.stand_in import CPA, StandIn
from tests.contract.pool import file_of

DOWNLOADS: Mapping[str, Mapping[str, Any]] = {
    "qwen.json": {"type": "qwen", "access_token": "token-of-qwen-1", "base_url": "http://user:pw@127.0.0.1:9/v1"},
    "codex.json": {"type": "codex", "access_token": "token-of-codex"},
}
RELAY: Mapping[str, Any] = {
    "id": "compatible-acme",
    "provider": "compatible-acme",
    "compat_name": "acme",
    "base_url": "http://127.0.0.1:9/acme/v1",
    "auth_index": "acme-index",
    "runtime_only": True,
    "disabled": False,
}


def _file(name: str, provider: str) -> dict[str, Any]:
    return {"id": name, "name": name, "type": provider, "auth_index": f"index of {name}", "disabled": False}


@pytest.fixture
def stand_in(stand_in: StandIn) -> StandIn:
    """A stand-in with auth files in a folder and below, and one account in memory."""
    files = [_file("qwen.json", "qwen"), _file("sub/codex.json", "codex"), _file("codex.json", "codex")]
    stand_in.files = [*files, dict(RELAY)]

    async def download(request: web.Request) -> web.StreamResponse | None:
        if request.path.endswith("auth-files/status"):
            body = await request.json()
            chosen = [file for file in stand_in.files if file["id"] == body["name"]]
            for file in chosen:
                file["disabled"] = body["disabled"]
            return web.json_response({"status": "ok"}, headers=CPA) if chosen else None
        if not request.path.endswith("auth-files/download"):
            return None
        if "/" in request.query["name"]:
            return web.json_response({"error": "invalid name"}, status=400, headers=CPA)
        return web.json_response(DOWNLOADS[request.query["name"]], headers=CPA)

    stand_in.before = download
    return stand_in


def _downloads(stand_in: StandIn) -> int:
    return sum(request.endswith("auth-files/download") for request in stand_in.requests)


async def test_the_address_the_listing_leaves_out_is_read_from_the_file_once(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    for _ in range(2):
        pool = await connection.gateway.accounts()
        assert file_of(pool, "qwen.json").base_url == "http://127.0.0.1:9/v1"
    assert _downloads(stand_in) == 1


async def test_a_file_that_the_gateway_does_not_give_out_is_marked_unread(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    stand_in.files.append(_file("sub/qwen.json", "qwen"))
    pool = await connection.gateway.accounts()
    below = file_of(pool, "sub/qwen.json")
    assert (below.base_url, below.unread) == (None, True)
    assert file_of(pool, "qwen.json").unread is False


async def test_a_file_whose_download_is_refused_keeps_its_answer(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    account = file_of(await connection.gateway.accounts(), "sub/codex.json")
    answer = await connection.gateway.call(OutboundCall(account.ref, "GET", "http://127.0.0.1:9/"), timeout=5)
    assert isinstance(answer, Answer)
    assert answer.status == 401
    assert stand_in.answers[0]["auth_index"] == account.auth_index


async def test_an_answer_to_a_file_holds_none_of_its_secrets(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    before = stand_in.before
    assert before is not None

    async def echo(request: web.Request) -> web.StreamResponse | None:
        if request.path.endswith("api-call"):
            body = {"status_code": 400, "header": {}, "body": "no such token-of-codex"}
            return web.json_response(body, headers=CPA)
        return await before(request)

    stand_in.before = echo
    account = file_of(await connection.gateway.accounts(), "codex.json")
    answer = await connection.gateway.call(OutboundCall(account.ref, "GET", "http://127.0.0.1:9/"), timeout=5)
    assert isinstance(answer, Answer)
    assert "token-of-codex" not in answer.body


async def test_an_account_in_memory_has_its_own_address_and_name(connection: ManagementConnection) -> None:
    pool = await connection.gateway.accounts()
    (account,) = [listed for listed in pool.accounts if listed.ref == KeyRef(None, "compatible-acme")]
    assert (account.base_url, account.compat_name) == ("http://127.0.0.1:9/acme/v1", "acme")
    assert account.switch is Switch.MEMORY


@pytest.mark.parametrize("vanishes", [True, False])
async def test_an_account_in_memory_is_switched_by_its_name(
    stand_in: StandIn, connection: ManagementConnection, vanishes: bool
) -> None:
    pool = await connection.gateway.accounts()
    (account,) = [listed for listed in pool.accounts if listed.ref == KeyRef(None, "compatible-acme")]

    async def leave_out(request: web.Request) -> web.StreamResponse | None:
        if vanishes and request.method == "PATCH":
            stand_in.files = [entry for entry in stand_in.files if not entry["disabled"]]
        return None

    stand_in.applied = leave_out
    (outcome,) = await connection.gateway.set_disabled([Change(account.ref, disabled=True, expect=account.revision)])
    assert isinstance(outcome, Applied)
    assert stand_in.wrote() == ["PATCH /v0/management/auth-files/status"]


async def test_the_address_of_an_entry_may_stand_among_its_attributes(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    address = RELAY["base_url"]
    bare = {name: value for name, value in RELAY.items() if name != "base_url"}
    stand_in.files = [{**bare, "attributes": {"base_url": address}}]

    listed = (await connection.gateway.accounts()).accounts

    assert [account.base_url for account in listed if account.ref == KeyRef(None, "compatible-acme")] == [address]
