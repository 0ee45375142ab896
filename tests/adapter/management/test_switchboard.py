"""Batches of keys and files: the order of the writes on a stock gateway, and the outcome of each change."""

from typing import Any

import pytest
from aiohttp import web

from adapter.management import ManagementConnection
from adapter.port import Applied, Change, Pool, Section, Uncertain, errors
from tests.adapter.management.stand_in import CPA, StandIn, broken
from tests.contract.pool import file_of, key_of

STATUS = "PATCH /v0/management/auth-files/status"
CLAUDE = "PUT /v0/management/claude-api-key"


def auth_file(name: str) -> dict[str, Any]:
    return {"id": name, "name": name, "type": "codex", "auth_index": name, "disabled": False}


@pytest.fixture
def stand_in(stand_in: StandIn) -> StandIn:
    """A stand-in with two auth files, whose status it writes."""
    stand_in.files = [auth_file("anna.json"), auth_file("ben.json")]

    async def switched(request: web.Request) -> web.StreamResponse | None:
        if request.method != "PATCH" or not request.path.endswith("auth-files/status"):
            return None
        body = await request.json()
        for file in stand_in.files:
            if file["name"] == body["name"]:
                file["disabled"] = body["disabled"]
                return web.json_response({"status": "ok"}, headers=CPA)
        return None

    stand_in.before = switched
    return stand_in


def mixed(pool: Pool) -> list[Change]:
    """Changes of two keys of a section and two files, with a key first."""
    accounts = [
        key_of(pool, Section.CLAUDE, 0),
        file_of(pool, "anna.json"),
        key_of(pool, Section.CLAUDE, 1),
        file_of(pool, "ben.json"),
    ]
    return [Change(account.ref, disabled=True, expect=account.revision) for account in accounts]


async def test_files_are_written_before_sections(stand_in: StandIn, connection: ManagementConnection) -> None:
    outcomes = await connection.gateway.set_disabled(mixed(await connection.gateway.accounts()))
    assert [type(outcome) for outcome in outcomes] == [Applied] * 4
    assert stand_in.wrote() == [STATUS, STATUS, CLAUDE]


async def test_a_section_that_fails_after_the_files_leaves_their_outcomes(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    changes = mixed(await connection.gateway.accounts())
    switched = stand_in.before
    assert switched is not None

    async def breaking(request: web.Request) -> web.StreamResponse | None:
        return await broken(request) if request.method == "PUT" else await switched(request)

    stand_in.before = breaking
    outcomes = await connection.gateway.set_disabled(changes)
    assert [type(outcome) for outcome in outcomes] == [Uncertain, Applied, Uncertain, Applied]
    assert [file["disabled"] for file in stand_in.files] == [True, True]


async def test_trouble_with_the_files_is_raised_while_nothing_was_sent(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    changes = mixed(await connection.gateway.accounts())

    async def away(request: web.Request) -> web.StreamResponse | None:
        return web.Response(status=401, headers=CPA) if request.path.endswith("auth-files") else None

    stand_in.before = away
    with pytest.raises(errors.GatewayError):
        await connection.gateway.set_disabled(changes)
    assert stand_in.wrote() == []
