"""The event log over HTTP: as JSON, as a stream, resumed, and ended when the service stops."""

import asyncio
import json
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from sse_starlette.sse import AppStatus

from adapter.fake import reply
from adapter.port import Answer
from tests.extension.running_service import KEY, OWN, Running, gateway_of_two, running

pytestmark = pytest.mark.slow

EVENTS = f"{OWN}/inspections/events"
STREAM = {"Accept": "text/event-stream"}
WITH_KEY = {"X-Management-Key": KEY}


async def read_stream(answer: aiohttp.ClientResponse, until: str) -> list[dict[str, str]]:
    """Read events of a stream up to the first whose data holds a text."""
    events: list[dict[str, str]] = []
    current: dict[str, str] = {}
    async for raw in answer.content:
        line = raw.decode().rstrip("\r\n")
        if line:
            name, _, value = line.partition(":")
            current[name] = value.removeprefix(" ")
        elif "data" in current:
            events.append(current)
            if until in current["data"]:
                break
            current = {}
    return events


async def stream(service: Running, query: str, until: str, **headers: str) -> list[dict[str, str]]:
    address = f"{service.address}{EVENTS}{query}"
    async with service.browser.get(address, headers={**STREAM, **WITH_KEY, **headers}) as answer:
        assert answer.status == 200
        assert answer.content_type == "text/event-stream"
        return await read_stream(answer, until)


async def test_without_asking_for_a_stream_events_come_as_json(service: Running) -> None:
    await service.finished_run(await service.log_in())

    page = (await service.get(EVENTS)).json

    assert page.keys() == {"events", "next"}
    assert page["events"][0].keys() == {"seq", "at", "kind", "run", "data"}
    assert page["next"] == page["events"][-1]["seq"]
    assert (await service.get(f"{EVENTS}?after={page['next']}")).json == {"events": [], "next": page["next"]}


async def test_a_cursor_beyond_the_end_is_answered_by_where_the_end_is(service: Running) -> None:
    await service.finished_run(await service.log_in())
    end = (await service.get(EVENTS)).json["next"]

    page = (await service.get(f"{EVENTS}?after={2**53 - 1}")).json

    assert [event["kind"] for event in page["events"]] == ["reset"]
    assert page["next"] == end


async def test_a_stream_tells_a_run_from_its_start_to_its_end(service: Running) -> None:
    run = await service.finished_run(await service.log_in())

    events = await stream(service, "", '"finished"')

    bodies = [json.loads(event["data"]) for event in events]
    assert [event["event"] for event in events] == [body["kind"] for body in bodies]
    assert [int(event["id"]) for event in events] == [body["seq"] for body in bodies]
    assert {"run.state", "run.progress", "result"} <= {body["kind"] for body in bodies}
    landed = [seq for body in bodies if body["kind"] == "result" for seq in body["data"]["seqs"]]
    results = (await service.get(f"{OWN}/inspections/results?run={run}")).json["results"]
    assert sorted(landed) == [result["seq"] for result in results]


async def test_a_stream_goes_on_after_the_last_event_its_reader_has_seen(service: Running) -> None:
    await service.finished_run(await service.log_in())
    every = await stream(service, "", '"finished"')
    seen = every[-2]["id"]

    by_header = await stream(service, "?after=0", '"finished"', **{"Last-Event-ID": seen})
    by_query = await stream(service, f"?after={seen}", '"finished"')

    missed = (await service.get(f"{EVENTS}?after={seen}")).json["events"]
    assert by_header == by_query
    assert {event["event"] for event in by_header} == {event["kind"] for event in missed} != set()
    assert by_header[-1]["id"] == every[-1]["id"]


async def test_a_last_event_id_that_is_none_of_ours_is_passed_over(service: Running) -> None:
    await service.finished_run(await service.log_in())

    assert await stream(service, "", '"finished"', **{"Last-Event-ID": "9" * 5000})


async def test_a_stream_of_one_run_leaves_the_others_out(service: Running) -> None:
    headers = await service.log_in()
    first = await service.finished_run(headers)
    second = await service.finished_run(headers)

    events = await stream(service, f"?run={second}", '"finished"')

    assert first != second
    assert {json.loads(event["data"])["run"] for event in events} == {second}


async def test_a_stream_that_waits_is_told_of_what_happens_next(service: Running) -> None:
    headers = await service.log_in()
    end = (await service.get(f"{EVENTS}?after={2**53 - 1}")).json["next"]

    waiting = asyncio.create_task(stream(service, f"?after={end}", '"finished"'))
    await service.finished_run(headers)

    assert (await waiting)[-1]["event"] == "run.state"


async def test_a_stream_ends_in_good_order_when_the_service_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = asyncio.Event()

    async def slow(_: Any) -> Answer:
        await released.wait()
        return reply()

    gateway = gateway_of_two()
    gateway.upstream = slow
    async with running(tmp_path / "data", gateway) as service:
        await service.post(f"{OWN}/inspections", json={"accountSource": "api_key"}, headers=WITH_KEY)
        answer = await service.browser.get(f"{service.address}{EVENTS}", headers={**STREAM, **WITH_KEY})
        await read_stream(answer, '"running"')
        # What the stream library takes from the server's signal handler.
        monkeypatch.setattr(AppStatus, "should_exit", True)

        rest = await answer.content.read()

        assert answer.content.at_eof()
        assert answer.content.exception() is None
        assert b"event: " not in rest or rest.endswith(b"\r\n\r\n")


async def test_a_stream_that_asks_for_it_has_a_heartbeat_and_others_have_none(
    service: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("extension.api.events.HEARTBEAT_SECONDS", 0.1)
    await service.log_in()

    (beat,) = await stream(service, "?after=1&heartbeat=true", until="{}")

    assert beat == {"event": "heartbeat", "data": "{}"}
