"""Streams end with the authentication they rest on."""

import asyncio
from typing import Any

import aiohttp
import pytest

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
