"""Status changes of auth files when contact is lost: not sent, answer lost, or carried out."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from aiohttp import web

from adapter.clock import FakeClock
from adapter.management import ManagementConnection
from adapter.management.client.http import HttpTransport
from adapter.management.client.transport import Reply, Request
from adapter.port import Applied, Change, FileRef, Outcome, Uncertain
from adapter.port.permission import PERMISSION
from adapter.privacy.secret import Secret
from tests.adapter.management.stand_in import CPA, KEY, Place, StandIn, broken

ANNA, BEN = Change(FileRef("anna.json"), disabled=True), Change(FileRef("ben.json"), disabled=True)
STATUS = "PATCH /v0/management/auth-files/status"


def auth_file(name: str) -> dict[str, Any]:
    return {"id": name, "name": name, "type": "codex", "auth_index": name, "disabled": False}


@pytest.fixture
def stand_in(stand_in: StandIn) -> StandIn:
    stand_in.files = [auth_file("anna.json"), auth_file("ben.json")]
    stand_in.before = answered_with(stand_in, _accepted)
    return stand_in


def answered_with(
    stand_in: StandIn, answer: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> Callable[[web.Request], Awaitable[web.StreamResponse | None]]:
    """Return a handler that carries out the change of a file, and answers so."""

    async def switched(request: web.Request) -> web.StreamResponse | None:
        if request.method != "PATCH":
            return None
        body = await request.json()
        for file in stand_in.files:
            if file["name"] == body["name"]:
                file["disabled"] = body["disabled"]
        return await answer(request)

    return switched


async def _accepted(_: web.Request) -> web.StreamResponse:
    return web.json_response({"status": "ok"}, headers=CPA)


class _AwayForBen(HttpTransport):
    """The gateway does not listen while the change of ben.json is sent."""

    def __init__(self, place: Place) -> None:
        super().__init__(place.address, Secret(KEY))
        self._place = place

    async def send(self, request: Request) -> Reply:
        if request.method != "PATCH" or json.loads(request.body or b"{}")["name"] != "ben.json":
            return await super().send(request)
        await self.close()  # on a kept connection the request would have left
        await self._place.stop()
        try:
            return await super().send(request)
        finally:
            await self._place.start()


async def test_a_change_that_was_carried_out_counts_although_its_answer_was_lost(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    stand_in.before = answered_with(stand_in, broken)
    outcomes = await connection.gateway.set_disabled([ANNA, BEN])
    assert [type(outcome) for outcome in outcomes] == [Applied, Applied]
    assert stand_in.wrote() == [STATUS, STATUS]


async def test_a_change_without_an_answer_and_without_an_effect_is_not_called_sent(
    stand_in: StandIn, place: Place
) -> None:
    async def lost(request: web.Request) -> web.StreamResponse | None:
        return await broken(request) if request.method == "PATCH" else None

    stand_in.before = lost
    clock = FakeClock()
    connection = ManagementConnection(place.address, Secret(KEY), clock)
    connection.bind(bytes(range(32)))
    (outcome,) = await _awaited(clock, asyncio.create_task(connection.gateway.set_disabled([ANNA])))
    assert isinstance(outcome, Uncertain)
    assert outcome.code == "answer_lost"
    assert "closed" in str(outcome.parameters["said"])
    assert stand_in.wrote() == [STATUS]
    await connection.close()


async def test_a_change_that_could_not_be_sent_says_so(stand_in: StandIn, place: Place) -> None:
    connection = ManagementConnection(place.address, Secret(KEY), transport=_AwayForBen(place))
    connection.bind(bytes(range(32)))
    anna, ben = await connection.gateway.set_disabled([ANNA, BEN])
    assert isinstance(anna, Applied)
    assert isinstance(ben, Uncertain)
    assert ben.code == "not_sent"
    assert stand_in.wrote() == [STATUS]
    await connection.close()


async def test_a_batch_whose_process_owns_the_gateway_no_more_stops_before_the_next_file(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    PERMISSION.set(lambda: not stand_in.wrote())
    anna, ben = await connection.gateway.set_disabled([ANNA, BEN])
    assert isinstance(anna, Uncertain), "its effect is not read back either: nothing at all is sent any more"
    assert isinstance(ben, Uncertain)
    assert (ben.code, "another one may by now" in ben.why) == ("not_sent", True)
    assert stand_in.wrote() == [STATUS]


async def _awaited(clock: FakeClock, work: asyncio.Task[tuple[Outcome, ...]]) -> tuple[Outcome, ...]:
    """Let time pass whenever the work sleeps."""
    while not work.done():
        sleeping = asyncio.create_task(clock.sleeping())
        await asyncio.wait({work, sleeping}, return_when=asyncio.FIRST_COMPLETED)
        sleeping.cancel()
        await clock.advance(1)
    return await work
