"""Edits by others that a whole-list write of a stock gateway would overwrite."""

import asyncio
import copy
import json
from collections.abc import AsyncIterator
from http import HTTPStatus

import aiohttp
import pytest
from aiohttp import web

from adapter.management import ManagementConnection
from adapter.port import Applied, Change, Refused, Section
from adapter.privacy.secret import Secret
from tests.adapter.management.hasty_clock import HastyClock
from tests.adapter.management.served import served
from tests.adapter.management.stand_in import KEY, Place, StandIn, claude
from tests.contract.pool import key_of

CLAUDE = "claude-api-key"


@pytest.fixture
def clock() -> HastyClock:
    return HastyClock()


@pytest.fixture
async def connection(place: Place, clock: HastyClock) -> AsyncIterator[ManagementConnection]:
    opened = ManagementConnection(place.address, Secret(KEY), clock)
    opened.bind(bytes(range(32)))
    yield opened
    await opened.close()


async def _changes(connection: ManagementConnection) -> list[Change]:
    pool = await connection.gateway.accounts()
    return [Change(key_of(pool, Section.CLAUDE, number).ref, disabled=True) for number in range(2)]


async def test_an_edit_of_the_file_that_is_not_loaded_yet_is_waited_for_and_survives(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    """The file is edited right before our write; the gateway loads it later, and saves its memory over it till then."""
    changes = await _changes(connection)
    edited = copy.deepcopy(stand_in.sections[CLAUDE])
    edited[2]["prefix"] = "theirs"
    reads = 0

    async def edit(request: web.Request) -> web.StreamResponse | None:
        nonlocal reads
        if request.method == "GET" and request.path.endswith(CLAUDE):
            reads += 1
            if reads == 2:  # the reading of the first plan
                stand_in.text = json.dumps({CLAUDE: edited})
            elif reads == 5:  # while the edit is waited for, the gateway loads the file
                stand_in.sections[CLAUDE] = copy.deepcopy(edited)
                stand_in.text = None
                stand_in.reload()
        return None

    stand_in.applied = edit
    outcomes = await connection.gateway.set_disabled(changes)
    assert [type(outcome) for outcome in outcomes] == [Applied, Applied]
    assert stand_in.sections[CLAUDE][2]["prefix"] == "theirs"
    assert stand_in.wrote() == [f"PUT /v0/management/{CLAUDE}"]


@pytest.mark.parametrize("name", ["prefix", "proxy-url"])
async def test_an_edit_that_the_gateway_never_loads_is_not_overwritten(
    stand_in: StandIn, connection: ManagementConnection, name: str
) -> None:
    """A file that was put in the place of the open one: a stock gateway does not notice it."""
    changes = await _changes(connection)
    edited = copy.deepcopy(stand_in.sections)
    edited[CLAUDE][2][name] = "theirs"
    stand_in.text = json.dumps(edited)
    for _ in range(2):
        outcomes = await connection.gateway.set_disabled(changes)
        assert [outcome.code for outcome in outcomes if isinstance(outcome, Refused)] == ["file_not_loaded"] * 2
        assert "restart it" in str(outcomes[0])
    assert stand_in.wrote() == []

    stand_in.sections = edited  # the gateway is started again
    stand_in.text = None
    stand_in.reload()
    changes = await _changes(connection)
    outcomes = await connection.gateway.set_disabled(changes)
    assert [type(outcome) for outcome in outcomes] == [Applied, Applied]


async def test_a_file_that_is_no_yaml_is_named_with_its_line_and_no_restart_is_advised(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    """A stock gateway that is restarted with such a file ends, and inference with it."""
    changes = await _changes(connection)
    stand_in.text = "claude-api-key:\n  - api-key: a\n - api-key: b\n"
    outcomes = await connection.gateway.set_disabled(changes)
    assert [outcome.code for outcome in outcomes if isinstance(outcome, Refused)] == ["file_unreadable"] * 2
    assert "cannot be read as YAML (line 3)" in str(outcomes[0])
    assert "do not restart the gateway" in str(outcomes[0])
    assert stand_in.wrote() == []

    stand_in.text = None  # corrected
    outcomes = await connection.gateway.set_disabled(changes)
    assert [type(outcome) for outcome in outcomes] == [Applied, Applied]


async def test_a_file_that_is_no_yaml_is_refused_before_a_caller_gives_up(
    stand_in: StandIn, connection: ManagementConnection, clock: HastyClock
) -> None:
    """No time makes a gateway load it; a host of a plugin answers for it after 9 seconds."""
    changes = await _changes(connection)
    stand_in.text = "claude-api-key:\n  - api-key: a\n - api-key: b\n"
    began = clock.monotonic()
    outcomes = await connection.gateway.set_disabled(changes)
    assert {outcome.code for outcome in outcomes if isinstance(outcome, Refused)} == {"file_unreadable"}
    assert clock.monotonic() - began < 3


async def test_a_file_that_is_mended_in_a_moment_is_waited_for(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    """An editor may be in the middle of writing it."""
    changes = await _changes(connection)
    stand_in.text = "claude-api-key:\n  - api-key: a\n - api-key: b\n"
    reads = 0

    async def mend(request: web.Request) -> web.StreamResponse | None:
        nonlocal reads
        if request.path.endswith("config.yaml"):
            reads += 1
            if reads == 2:
                stand_in.text = None
        return None

    stand_in.applied = mend
    outcomes = await connection.gateway.set_disabled(changes)
    assert [type(outcome) for outcome in outcomes] == [Applied, Applied]


async def test_a_new_entry_that_the_gateway_never_loads_is_not_overwritten(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    changes = await _changes(connection)
    stand_in.text = json.dumps({**stand_in.sections, CLAUDE: [*stand_in.sections[CLAUDE], claude(77)]})
    outcomes = await connection.gateway.set_disabled(changes)
    assert {type(outcome) for outcome in outcomes} == {Refused}
    assert stand_in.wrote() == []


async def test_what_the_gateway_itself_makes_of_its_file_is_no_edit(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    """It drops twins and entries it cannot use, trims, and leaves out what its release does not know."""
    changes = await _changes(connection)
    file = copy.deepcopy(stand_in.sections)
    file[CLAUDE][2] |= {"weight": 3, "prefix": " ", "excluded-models": ["", " "], "headers": {"X-A": " "}}
    file[CLAUDE].append({**claude(2), "prefix": "dropped"})
    file["codex-api-key"] = [{"api-key": "sk-without-a-base-url"}]
    stand_in.text = json.dumps({**file, "unknown-api-key": [claude(5)]})
    outcomes = await connection.gateway.set_disabled(changes)
    assert [type(outcome) for outcome in outcomes] == [Applied, Applied]


async def test_an_edit_between_two_batches_is_loaded_before_the_second_writes(stand_in: StandIn, place: Place) -> None:
    clock = HastyClock()
    connection = ManagementConnection(place.address, Secret(KEY), clock)
    connection.bind(bytes(range(32)))
    changes = await _changes(connection)
    await connection.gateway.set_disabled(changes[:1])
    await clock.advance(60)
    stand_in.comment = "# edited by hand"
    before = clock.monotonic()
    await connection.gateway.set_disabled(changes[1:])
    assert clock.monotonic() - before >= 2
    await connection.close()


async def test_a_client_of_the_proxy_writes_after_ours_and_not_in_between(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    changes = await _changes(connection)
    theirs: list[asyncio.Task[None]] = []
    headers = {"X-Management-Key": KEY}
    async with served(connection.fallback) as front, aiohttp.ClientSession(front, headers=headers) as client:

        async def write() -> None:
            async with client.put("/v0/management/codex-api-key", json=[claude(20)]) as answer:
                assert answer.status == HTTPStatus.OK

        async def interfere(request: web.Request) -> web.StreamResponse | None:
            if request.method == "PUT" and request.path.endswith(CLAUDE):
                theirs.append(asyncio.create_task(write()))
                async with client.get("/v0/management/debug") as answer:  # reading goes on, and shows it is on its way
                    assert answer.status == HTTPStatus.OK
            return None

        stand_in.before = interfere
        await connection.gateway.set_disabled(changes)
        await asyncio.gather(*theirs)
    assert stand_in.wrote() == [f"PUT /v0/management/{CLAUDE}", "PUT /v0/management/codex-api-key"]
    assert stand_in.sections["codex-api-key"] == [claude(20)]


async def test_a_build_without_a_number_that_knows_other_ids_is_switched_through_its_section(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    """A build of an older release by hand says `dev`, is taken for the newest, and has ids of the older rule."""
    stand_in.version = {"X-CPA-VERSION": "dev", "X-CPA-COMMIT": "none"}
    stand_in.sections[CLAUDE][0]["prefix"] = "team"
    stand_in.reload()

    async def unknown(request: web.Request) -> web.StreamResponse | None:
        if request.path.endswith("auth-files/status"):
            return web.json_response({"error": "auth file not found"}, status=404, headers=stand_in.version)
        return None

    stand_in.before = unknown
    changes = await _changes(connection)
    for change in changes:
        assert [type(outcome) for outcome in await connection.gateway.set_disabled([change])] == [Applied]
    status, section = "PATCH /v0/management/auth-files/status", f"PUT /v0/management/{CLAUDE}"
    assert stand_in.wrote() == [status, section, section]


@pytest.mark.parametrize("count", [1, 2])
async def test_a_broken_file_of_our_own_gateway_refuses_each_change_with_its_line(
    stand_in: StandIn, connection: ManagementConnection, count: int
) -> None:
    """Our own gateway compares the file itself, and answers a write with what is wrong with it."""
    stand_in.version["X-CPA-VERSION"] = "0.5.14"
    changes = (await _changes(connection))[:count]

    async def broken(request: web.Request) -> web.StreamResponse | None:
        if request.method == "GET":
            return None
        problem = "failed to save config: /srv/config.yaml, line 9: did not find expected ',' or ']'"
        return web.json_response({"error": problem}, status=500, headers=stand_in.version)

    stand_in.before = broken
    outcomes = await connection.gateway.set_disabled(changes)
    assert [outcome.code for outcome in outcomes if isinstance(outcome, Refused)] == ["file_unusable"] * count
    assert "/srv/config.yaml, line 9" in str(outcomes[0])
