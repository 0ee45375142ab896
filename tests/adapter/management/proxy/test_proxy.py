import asyncio
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import suppress

import aiohttp
import pytest
from aiohttp import web
from yarl import URL

from adapter.management import HttpTransport, ManagementConnection
from adapter.port import ASGIApp
from adapter.privacy.secret import Secret
from tests.adapter.management.served import served
from tests.adapter.management.stand_in import KEY, Place, StandIn

RIGHT = {"X-Management-Key": KEY}
MEGABYTE = 1024 * 1024
HUNDRED = 100


@pytest.fixture
async def front(connection: ManagementConnection) -> AsyncIterator[str]:
    async with served(connection.fallback) as address:
        yield address


@pytest.fixture
async def principal() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


async def test_a_visitor_with_the_key_gets_what_the_gateway_answers(
    front: str, principal: aiohttp.ClientSession
) -> None:
    async with principal.get(f"{front}/v0/management/debug", headers=RIGHT) as answer:
        assert (answer.status, await answer.json()) == (200, {"debug": False})
        assert answer.headers["X-CPA-VERSION"] == "7.2.140"
    async with principal.get(f"{front}/v0/management/nobody-knows", headers=RIGHT) as answer:
        assert (answer.status, await answer.read()) == (404, b"")
    async with principal.post(f"{front}/v0/management/debug", headers=RIGHT) as answer:
        assert (answer.status, await answer.read()) == (404, b"")


async def test_without_the_key_nothing_reaches_the_gateway(
    stand_in: StandIn, front: str, principal: aiohttp.ClientSession
) -> None:
    sent = len(stand_in.requests)
    cookie = {"Cookie": "poolkeeper_session=a-session-of-the-page"}
    for headers in ({}, {"X-Management-Key": "wrong"}, cookie):
        async with principal.get(f"{front}/v0/management/debug", headers=headers) as answer:
            assert answer.status == 401
    for path in ("//v0/management/debug", "/v1/%2e%2e/v0/management/debug", "/v0/management%2Fdebug", "/v0/management"):
        async with principal.get(URL(f"{front}{path}", encoded=True)) as answer:
            assert answer.status in {401, 403}
    assert len(stand_in.requests) == sent


async def test_our_key_takes_the_place_of_the_visitors_and_claims_about_his_place_are_dropped(
    stand_in: StandIn, front: str, principal: aiohttp.ClientSession
) -> None:
    seen: list[web.Request] = []

    async def look(request: web.Request) -> None:
        seen.append(request)

    stand_in.before = look
    headers = {
        **RIGHT,
        "X-Forwarded-For": "203.0.113.1",
        "X-Real-IP": "203.0.113.1",
        "Cookie": "a=b",
        "X-Kept": "yes",
        "Connection": "keep-alive, X-Dropped",
        "X-Dropped": "yes",
        "Te": "trailers",
    }
    async with principal.get(URL(f"{front}/v0/management/debug?a=%2F&b", encoded=True), headers=headers):
        pass
    (request,) = seen
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert request.headers["X-Kept"] == "yes"
    assert request.raw_path == "/v0/management/debug?a=%2F&b"
    dropped = {"X-Management-Key", "X-Forwarded-For", "X-Real-IP", "Cookie", "X-Dropped", "Te"}
    assert not dropped & set(request.headers)


async def test_other_paths_keep_the_visitors_own_key_and_never_get_ours(
    stand_in: StandIn, principal: aiohttp.ClientSession
) -> None:
    seen: list[str] = []

    async def look(request: web.Request) -> web.Response:
        seen.append(request.headers["Authorization"])
        return web.Response(text="models")

    stand_in.handle = look  # type: ignore[method-assign]  # the listener asks for it with each request
    place = Place(stand_in)
    await place.start()
    connection = ManagementConnection(place.address, Secret(KEY))
    async with served(_without_lifespan(connection.fallback)) as address:
        async with principal.get(f"{address}/v1/models", headers={"Authorization": "Bearer client-key"}) as answer:
            assert await answer.text() == "models"
        async with principal.options(f"{address}/v0/management/debug", headers={"Authorization": "Bearer c"}) as answer:
            assert answer.status == 200
    assert seen == ["Bearer client-key", "Bearer c"]
    await connection.close()
    await place.stop()


def _without_lifespan(application: ASGIApp) -> ASGIApp:
    async def only_requests(scope, receive, send):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - ASGI
        if scope["type"] == "lifespan":
            raise AssertionError("the lifespan is not for a visitor")
        await application(scope, receive, send)

    return only_requests


async def test_a_hundred_megabytes_pass_up_and_down_in_constant_memory(
    stand_in: StandIn, front: str, principal: aiohttp.ClientSession
) -> None:
    async def mirror(request: web.Request) -> web.StreamResponse:
        received = 0
        async for part in request.content.iter_any():
            received += len(part)
        answer = web.StreamResponse(headers={"X-Received": str(received)})
        await answer.prepare(request)
        block = bytes(MEGABYTE)
        for _ in range(HUNDRED):
            await answer.write(block)
        return answer

    async def blocks() -> AsyncIterator[bytes]:
        block = bytes(MEGABYTE)
        for _ in range(HUNDRED):
            yield block

    stand_in.before = mirror
    tracemalloc.start()
    try:
        async with principal.post(f"{front}/v0/management/large", data=blocks(), headers=RIGHT) as answer:
            assert int(answer.headers["X-Received"]) == HUNDRED * MEGABYTE
            length = 0
            async for part in answer.content.iter_any():
                length += len(part)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert length == HUNDRED * MEGABYTE
    assert peak < 24 * MEGABYTE


async def test_server_sent_events_arrive_one_by_one(
    stand_in: StandIn, front: str, principal: aiohttp.ClientSession
) -> None:
    read = asyncio.Event()

    async def events(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await answer.prepare(request)
        await answer.write(b"data: first\n\n")
        await read.wait()
        await answer.write(b"data: second\n\n")
        return answer

    stand_in.before = events
    async with principal.get(f"{front}/v0/management/events", headers=RIGHT) as answer:
        assert await answer.content.readany() == b"data: first\n\n"
        read.set()
        assert await answer.content.read() == b"data: second\n\n"


async def test_a_visitor_who_hangs_up_is_told_to_the_gateway(
    stand_in: StandIn, front: str, principal: aiohttp.ClientSession
) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def endless(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse()
        await answer.prepare(request)
        await answer.write(b"first")
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return answer

    stand_in.before = endless
    async with principal.get(f"{front}/v0/management/endless", headers=RIGHT) as answer:
        await begun.wait()
        assert await answer.content.readany() == b"first"
        answer.close()
    await asyncio.wait_for(ended.wait(), 10)


async def test_an_upgrade_is_refused_cleanly(front: str, principal: aiohttp.ClientSession) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
        await principal.ws_connect(f"{front}/v1/ws")
    assert caught.value.status == 501
    async with principal.get(f"{front}/v0/management/debug", headers=RIGHT) as answer:
        assert answer.status == 200


async def test_a_gateway_that_is_away_is_told_so_and_one_that_breaks_off_is_not_papered_over(
    stand_in: StandIn, place: Place, front: str, principal: aiohttp.ClientSession
) -> None:
    async def half(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse(headers={"Content-Length": "1000"})
        await answer.prepare(request)
        await answer.write(b"half")
        if request.transport is not None:
            request.transport.abort()
        return answer

    stand_in.before = half
    with suppress(aiohttp.ServerDisconnectedError), pytest.raises(aiohttp.ClientPayloadError):
        async with principal.get(f"{front}/v0/management/half", headers=RIGHT) as answer:
            await answer.read()
    await place.stop()
    async with principal.get(f"{front}/v0/management/debug", headers=RIGHT) as answer:
        assert answer.status == 502
        assert "Is it running?" in (await answer.json())["error"]


async def test_our_key_refused_while_passing_on_stops_everything_and_is_told_as_ours(
    stand_in: StandIn, front: str, principal: aiohttp.ClientSession
) -> None:
    stand_in.key = "another"
    for _ in range(7):
        async with principal.get(f"{front}/v0/management/debug", headers=RIGHT) as answer:
            assert answer.status == 502
            assert "refuses the management key" in (await answer.json())["error"]
    assert stand_in.failures == 1


async def test_own_calls_do_not_wait_behind_requests_that_are_passed_on(
    stand_in: StandIn, place: Place, principal: aiohttp.ClientSession
) -> None:
    entered, release = asyncio.Event(), asyncio.Event()

    async def hold(request: web.Request) -> None:
        if "slow" in request.query:
            entered.set()
            await release.wait()

    stand_in.before = hold
    connection = ManagementConnection(
        place.address, Secret(KEY), transport=HttpTransport(place.address, Secret(KEY), connections=1)
    )
    async with served(connection.fallback) as address, asyncio.timeout(5):
        passed_on = asyncio.ensure_future(principal.get(f"{address}/v0/management/debug?slow=1", headers=RIGHT))
        await entered.wait()
        assert (await connection.gateway.describe()).version == "7.2.140"
        release.set()
        await passed_on
    await connection.close()
