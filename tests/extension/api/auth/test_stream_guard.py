"""Streams end with the authentication they rest on."""

import asyncio
import json
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import pytest
from starlette.types import Message, Receive, Scope, Send

from adapter.clock import FakeClock
from adapter.fake import FakeConnection
from extension.api.auth.authenticator import Authenticator, Principal
from extension.api.auth.key_fingerprint import NO_KEY, REFUSED_KEY
from extension.api.auth.middleware import AuthenticationMiddleware
from extension.api.auth.sessions import Sessions
from extension.api.auth.stream_guard import StreamGuard
from tests.extension.running_service import KEY, OWN, Running

EVENTS = f"{OWN}/inspections/events"
STREAM = {"Accept": "text/event-stream"}


async def open_stream(service: Running, **headers: str) -> aiohttp.ClientResponse:
    answer = await service.browser.get(f"{service.address}{EVENTS}", headers={**STREAM, **headers})
    assert answer.status == 200
    return answer


async def read_to_the_end(answer: aiohttp.ClientResponse) -> str:
    return (await asyncio.wait_for(answer.read(), 10)).decode()


async def test_a_stream_ends_at_sign_out(service: Running) -> None:
    headers = await service.log_in()
    stream = await open_stream(service)

    await service.send("DELETE", f"{OWN}/info/session", headers=headers)

    await read_to_the_end(stream)


@pytest.mark.parametrize("headers", [{}, {"X-Management-Key": KEY}])
async def test_a_stream_ends_when_the_management_key_changes(service: Running, headers: dict[str, Any]) -> None:
    if not headers:
        await service.log_in()
    stream = await open_stream(service, **headers)

    state = service.gateway.state
    state.replace_text(state.text.replace("looks", "looked"))

    await read_to_the_end(stream)


async def test_no_event_after_a_sign_out_reaches_the_stream_of_the_session(service: Running) -> None:
    headers = await service.log_in()
    stream = await open_stream(service)
    await service.send("DELETE", f"{OWN}/info/session", headers=headers)

    await service.finished_run({"X-Management-Key": KEY})

    assert "run.state" not in await read_to_the_end(stream)


async def test_a_second_session_keeps_its_stream_when_the_first_one_ends(service: Running) -> None:
    await service.log_in()
    cookies = {cookie.key: cookie.value for cookie in service.browser.cookie_jar}
    service.browser.cookie_jar.clear()
    headers = await service.log_in()
    async with aiohttp.request("GET", f"{service.address}{EVENTS}", headers=STREAM, cookies=cookies) as stream:
        await service.send("DELETE", f"{OWN}/info/session", headers=headers)
        await service.finished_run({"X-Management-Key": KEY})
        assert await asyncio.wait_for(stream.content.readany(), 10)


@dataclass
class Fingerprint:
    """The management key in force, as a test changes it."""

    mark: str = "first"
    open_to_all: bool = True

    async def now(self) -> str:
        return self.mark

    async def admits(self, _peer: str) -> bool:
        return self.open_to_all


@pytest.mark.parametrize("sends", [True, False])
@pytest.mark.parametrize(
    ("principal", "mark", "open_to_all", "status", "code"),
    [
        (Principal("page", key_fingerprint="first", token="t"), "second", True, 401, "no_session"),
        (Principal("page", key_fingerprint="first", token="t"), "first", True, 401, "no_session"),
        (Principal("interface", key_fingerprint="first"), "second", True, 401, "wrong_key"),
        (Principal("interface", key_fingerprint="first"), REFUSED_KEY, True, 502, "gateway_unauthorised"),
        (Principal("interface", key_fingerprint="first"), "first", False, 403, "forbidden"),
        (Principal("interface", key_fingerprint="first"), NO_KEY, True, 404, "no_management"),
    ],
)
async def test_a_stream_whose_authentication_ends_before_it_begins_is_refused_in_our_words(
    principal: Principal, mark: str, status: int, code: str, *, open_to_all: bool, sends: bool
) -> None:
    key, clock = Fingerprint(), FakeClock()
    authenticator = Authenticator(FakeConnection().gateway, key, Sessions(clock, 1000))
    messages: list[Message] = []

    async def inside(_scope: Scope, _receive: Receive, send: Send) -> None:
        key.mark, key.open_to_all = mark, open_to_all
        await clock.advance(1)
        if sends:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.Event().wait()

    async def send(message: Message) -> None:
        messages.append(message)

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def identify(*_: object) -> Principal:
        return principal

    identifying = SimpleNamespace(identify=identify)
    middleware = AuthenticationMiddleware(
        inside, cast("Authenticator", identifying), frozenset(), StreamGuard(authenticator, clock)
    )
    scope = {"type": "http", "method": "GET", "path": EVENTS, "headers": [(b"accept", b"text/event-stream")]}
    await asyncio.wait_for(middleware(scope, receive, send), 5)

    assert messages[0]["status"] == status
    problem = json.loads(messages[1]["body"])
    assert (problem["code"], bool(problem["error"]), bool(problem["hint"])) == (code, True, True)
