import asyncio

import pytest
from aiohttp import web

from adapter.clock import FakeClock
from adapter.management import ManagementConnection
from adapter.port import AdmissionAttempt, Change, KeyRef, Section, errors
from adapter.privacy.secret import Secret
from tests.adapter.management.conftest import INSTALLATION_KEY
from tests.adapter.management.stand_in import KEY, Place, StandIn

NOBODY = Change(KeyRef(Section.CLAUDE, "claude:apikey:000000000000"), disabled=True)


async def _connected(place: Place, key: str = KEY, clock: FakeClock | None = None) -> ManagementConnection:
    connection = ManagementConnection(place.address, Secret(key), clock)
    connection.bind(INSTALLATION_KEY)
    return connection


async def test_one_refused_key_stops_everything_and_is_never_shown_again(stand_in: StandIn, place: Place) -> None:
    connection = await _connected(place, "a wrong key")
    results = await asyncio.gather(*(connection.gateway.accounts() for _ in range(20)), return_exceptions=True)
    assert {type(result) for result in results} == {errors.Unauthorised}
    for verb in (connection.gateway.describe(), connection.gateway.configuration(), connection.gateway.pop_usage(1)):
        with pytest.raises(errors.Unauthorised, match=r"invalid management key.*Give the right key"):
            await verb
    with pytest.raises(errors.Unauthorised):
        await connection.gateway.set_disabled([NOBODY])
    assert len(stand_in.requests) == 1
    assert stand_in.failures == 1
    await connection.close()


async def test_a_key_that_stops_counting_in_mid_run_causes_no_ban(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    await connection.gateway.accounts()
    stand_in.key = "another key"
    results = await asyncio.gather(*(connection.gateway.accounts() for _ in range(20)), return_exceptions=True)
    assert {type(result) for result in results} == {errors.Unauthorised}
    assert stand_in.failures < 5


async def test_a_ban_is_waited_out_without_a_request(stand_in: StandIn, place: Place) -> None:
    stand_in.failures = 5
    clock = FakeClock()
    connection = await _connected(place, clock=clock)
    with pytest.raises(errors.Banned, match="banned this address") as caught:
        await connection.gateway.accounts()
    assert caught.value.until == clock.now_ms() + 1_799_000
    assert connection.gateway.refusal() is caught.value
    with pytest.raises(errors.Banned):
        await connection.gateway.accounts()
    assert len(stand_in.requests) == 1
    stand_in.failures = 0
    await clock.advance(1800)
    assert connection.gateway.refusal() is None
    assert len((await connection.gateway.accounts()).accounts) == 5
    await connection.close()


async def test_management_that_is_switched_off_is_told_from_a_missing_path(stand_in: StandIn, place: Place) -> None:
    stand_in.managed = False
    connection = await _connected(place)
    with pytest.raises(errors.Unavailable, match=r"switched off.*MANAGEMENT_PASSWORD"):
        await connection.gateway.accounts()
    assert len(stand_in.requests) == 1
    await connection.close()


async def test_something_else_at_the_address_is_called_so(stand_in: StandIn, place: Place) -> None:
    async def page(_: web.Request) -> web.Response:
        return web.Response(text="<html>", content_type="text/html")

    stand_in.before = page
    connection = await _connected(place)
    with pytest.raises(errors.Unavailable, match="Something else than a gateway"):
        await connection.gateway.accounts()
    await connection.close()


async def test_a_path_only_a_plugin_serves_is_called_so(connection: ManagementConnection) -> None:
    with pytest.raises(errors.NotFound, match="only a plugin serves it"):
        await connection.gateway.proxy_url()


async def test_a_redirect_is_not_followed_so_that_the_key_stays_here(stand_in: StandIn, place: Place) -> None:
    async def redirect(_: web.Request) -> web.Response:
        return web.Response(status=307, headers={"Location": f"{place.address}/elsewhere", **stand_in.version})

    stand_in.before = redirect
    connection = await _connected(place)
    with pytest.raises(errors.Unavailable, match="redirect, which is never followed"):
        await connection.gateway.accounts()
    assert stand_in.requests == ["GET /v0/management/debug"]
    await connection.close()


async def test_visitors_are_judged_here_and_never_shown_to_the_gateway(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    for key in (Secret("a typing mistake"), None, Secret("another"), Secret("and another"), Secret("the last")):
        await connection.gateway.admit(AdmissionAttempt(key, "10.0.0.1"))
    assert stand_in.requests == []


@pytest.mark.parametrize(
    "address", ["", "localhost", "ftp://x", "http://user:password@x", "http://x?key=1", "http://", "http://x:99999"]
)
def test_what_is_no_address_of_a_gateway_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="address of a gateway") as caught:
        ManagementConnection(address, Secret(KEY))
    assert "password@" not in str(caught.value)


@pytest.mark.parametrize("key", ["", "  ", "two\nlines"])
def test_a_key_no_header_can_carry_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="management key"):
        ManagementConnection("http://127.0.0.1:1", Secret(key))


async def test_callers_of_a_gateway_that_is_away_wait_once_together() -> None:
    clock = FakeClock()
    connection = ManagementConnection("http://127.0.0.1:1", Secret(KEY), clock, patience=5.0)
    connection.bind(INSTALLATION_KEY)
    asking = asyncio.gather(*(connection.gateway.describe() for _ in range(5)), return_exceptions=True)
    began = clock.monotonic()
    while not asking.done():
        await asyncio.sleep(0.001)
        await clock.advance(0.05)
    assert {type(result) for result in await asking} == {errors.Unavailable}
    assert clock.monotonic() - began < 9
    await connection.close()
