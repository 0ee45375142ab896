"""Made-up usage of the demo."""

import asyncio
import json
from pathlib import Path

from aiohttp import web
from aiohttp.test_utils import TestServer

from extension.api.usage.transfer import ImportedEvent
from tools.project.demo.folder import DemoFolder
from tools.project.demo.traffic import DAYS, HOUR_MS, keep_traffic, past_usage

NOW = 1_795_000_000_000


def test_every_event_of_the_week_can_be_imported() -> None:
    events = [ImportedEvent.model_validate_json(line).event() for line in past_usage(NOW).splitlines()]
    assert len(events) > DAYS * 24
    assert all(NOW - DAYS * 24 * HOUR_MS - HOUR_MS <= event.at < NOW for event in events)
    assert len({event.digest for event in events}) == len(events)


def test_the_week_has_failures_and_a_model_without_a_price() -> None:
    events = [json.loads(line) for line in past_usage(NOW).splitlines()]
    assert any(event["failure"].startswith("429") for event in events)
    assert any(event["model"] == "house-model" for event in events)
    assert len({event["client"] for event in events}) == 3


def test_the_same_time_gives_the_same_week() -> None:
    assert past_usage(NOW) == past_usage(NOW)


def test_the_demo_shows_as_many_requests_an_hour_as_it_is_asked_to() -> None:
    few, many = (len(past_usage(NOW, requests).splitlines()) for requests in (12, 120))
    assert 8 < many / few < 12


async def test_the_week_waits_for_a_service_that_starts_after_its_gateway(tmp_path: Path) -> None:
    not_ready = 2
    imported: list[int] = []
    done = asyncio.Event()

    async def answer(request: web.Request) -> web.Response:
        nonlocal not_ready
        if not_ready:
            not_ready -= request.method == "GET"
            return web.json_response({"code": "plugin_not_running"}, status=503)
        if request.path.endswith("usage/import"):
            imported.append(len((await request.text()).splitlines()))
        if request.path.startswith("/v1/"):
            done.set()
        return web.json_response({"alias": {"fingerprint": "f" * 32}})

    application = web.Application(client_max_size=2**22)
    application.router.add_route("*", "/{path:.*}", answer)
    async with TestServer(application, host="127.0.0.1") as server:
        assert server.port is not None
        traffic = asyncio.create_task(keep_traffic(DemoFolder(tmp_path, server.port, 0, "a key of the demo")))
        await asyncio.wait_for(done.wait(), 20)
        traffic.cancel()

    assert sum(imported) > 1_000
