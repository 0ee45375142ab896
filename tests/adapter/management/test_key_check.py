"""A key changed at the gateway stops counting here: at the first refusal, and within half a minute without one."""

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web

from adapter.clock import FakeClock
from adapter.management import ManagementConnection
from adapter.management.client.guarded_client import PROOF_SECONDS
from adapter.management.key_check import WAIT_SECONDS
from adapter.port import AdmissionAttempt, Admitted, Denied, errors
from adapter.privacy.secret import Secret
from tests.adapter.management.conftest import INSTALLATION_KEY
from tests.adapter.management.served import served
from tests.adapter.management.stand_in import KEY, Place, StandIn

OLD = AdmissionAttempt(Secret(KEY), "127.0.0.1")
NEW = AdmissionAttempt(Secret("another key"), "127.0.0.1")


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def connection(place: Place, clock: FakeClock) -> AsyncIterator[ManagementConnection]:
    opened = ManagementConnection(place.address, Secret(KEY), clock)
    opened.bind(INSTALLATION_KEY)
    await opened.client.timed()
    yield opened
    await opened.close()


async def ended(connection: ManagementConnection) -> bool:
    decision = await connection.gateway.admit(OLD)
    counts = await connection.gateway.key_counts()
    assert isinstance(decision, Admitted) is counts
    return not counts


async def test_a_changed_key_ends_within_half_a_minute_at_the_cost_of_one_failure(
    stand_in: StandIn, connection: ManagementConnection, clock: FakeClock
) -> None:
    stand_in.key = "another key"
    await clock.advance(PROOF_SECONDS - 1)
    assert not await ended(connection)
    await clock.advance(1)
    assert await ended(connection)
    for _ in range(10):
        await clock.advance(PROOF_SECONDS)
        denied = await connection.gateway.admit(NEW)
        assert isinstance(denied, Denied)
        assert denied.status == 401
        assert "start the service again with the new one" in denied.body
        assert await ended(connection)
    assert (stand_in.failures, len(stand_in.requests)) == (1, 2)


async def test_a_refused_call_of_our_own_ends_the_key_at_once(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    stand_in.key = "another key"
    with pytest.raises(errors.Unauthorised):
        await connection.gateway.accounts()
    assert await ended(connection)
    assert stand_in.failures == 1


async def test_a_refused_request_that_was_passed_on_ends_the_key_at_once(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    async with served(connection.fallback) as front, aiohttp.ClientSession() as client:
        stand_in.key = "another key"
        refused = await client.get(f"{front}/v0/management/debug", headers={"X-Management-Key": KEY})
        assert refused.status == 502
    assert await ended(connection)


@pytest.mark.parametrize("status", [400, 403, 404, 429, 500, 503])
async def test_any_other_refusal_ends_nothing_and_is_asked_again_half_a_minute_later(
    stand_in: StandIn, connection: ManagementConnection, clock: FakeClock, status: int
) -> None:
    async def refuse(_: web.Request) -> web.Response:
        return web.json_response({"error": "remote management disabled"}, status=status, headers=stand_in.version)

    stand_in.before = refuse
    for count in range(2, 5):
        await clock.advance(PROOF_SECONDS)
        assert not await ended(connection)
        assert not await ended(connection)
        assert len(stand_in.requests) == count
    stand_in.before = None
    await clock.advance(PROOF_SECONDS)
    assert not await ended(connection)
    assert len((await connection.gateway.accounts()).accounts) == 5


async def test_a_key_that_was_changed_while_the_gateway_refused_management_ends_as_well(
    stand_in: StandIn, connection: ManagementConnection, clock: FakeClock
) -> None:
    async def refuse(_: web.Request) -> web.Response:
        return web.json_response({"error": "remote management disabled"}, status=403, headers=stand_in.version)

    stand_in.before = refuse
    with pytest.raises(errors.Unauthorised):
        await connection.gateway.accounts()
    stand_in.before, stand_in.key = None, "another key"
    await clock.advance(PROOF_SECONDS)
    assert await ended(connection)
    assert stand_in.failures == 1


async def test_a_gateway_that_is_banned_away_or_gone_ends_nothing(
    stand_in: StandIn, place: Place, connection: ManagementConnection, clock: FakeClock
) -> None:
    stand_in.failures = 5
    await clock.advance(PROOF_SECONDS)
    assert not await ended(connection)
    await place.stop()
    await clock.advance(1800)
    assert not await ended(connection)


async def test_clients_wait_two_seconds_for_a_gateway_that_hangs_and_ask_it_once(
    stand_in: StandIn, connection: ManagementConnection, clock: FakeClock
) -> None:
    requested, going_on = asyncio.Event(), asyncio.Event()

    async def hang(_: web.Request) -> None:
        requested.set()
        await going_on.wait()

    stand_in.before = hang
    await clock.advance(PROOF_SECONDS)
    clients = [asyncio.create_task(connection.gateway.admit(OLD)) for _ in range(20)]
    await requested.wait()
    await clock.sleeping(20)
    await clock.advance(WAIT_SECONDS)
    assert await asyncio.gather(*clients) == [Admitted()] * 20
    assert await connection.gateway.admit(OLD) == Admitted()
    assert len(stand_in.requests) == 2
    going_on.set()
