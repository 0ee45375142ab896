"""Channels over real HTTP, with the Apprise library and a server of this machine."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from tests.extension.running_service import OWN, Running

CHANNELS = f"{OWN}/config/channels"


@asynccontextmanager
async def receiving() -> AsyncIterator[tuple[str, asyncio.Queue[str]]]:
    """Run a server that keeps what is posted to it; yield its Apprise address."""
    posted: asyncio.Queue[str] = asyncio.Queue()

    async def take(request: web.Request) -> web.Response:
        posted.put_nowait(await request.text())
        return web.Response()

    application = web.Application()
    application.router.add_post("/{path:.*}", take)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    yield f"json://very-secret-user:very-secret-word@127.0.0.1:{port}/hook", posted
    await runner.cleanup()


async def test_a_channel_is_added_tried_and_removed_and_its_address_never_answered(service: Running) -> None:
    headers = await service.log_in()
    async with receiving() as (address, posted):
        body = {"name": "ops", "address": address, "topics": ["failures"]}
        added = await service.post(CHANNELS, json=body, headers=headers)
        channel = {"id": 1, "name": "ops", "kind": "apprise", "scheme": "json", "host": ""}
        assert (added.status, added.json["channels"]) == (200, [{**channel, "topics": ["failures"], "last": None}])
        tried = await service.post(f"{CHANNELS}/test", json={"channel": 1}, headers=headers)
        assert (tried.json["taken"], tried.json["kind"], tried.json["attempts"]) == (True, "test", 1)
        assert json.loads(posted.get_nowait())["message"] == "Poolkeeper can reach this channel."
    for file in service.folder.iterdir():
        assert b"very-secret" not in file.read_bytes()

    gone = await service.post(f"{CHANNELS}/test", json={"channel": 1}, headers=headers)
    assert (gone.json["taken"], gone.json["problem"]) == (False, "The service did not take the message.")
    shown = await service.get(CHANNELS)
    assert [delivery["taken"] for delivery in shown.json["deliveries"]] == [False, True]
    removed = await service.post(f"{CHANNELS}/remove", json={"channel": 1}, headers=headers)
    assert removed.json["channels"] == []
    assert "very-secret" not in added.text + tried.text + gone.text + shown.text + removed.text


async def test_a_webhook_gets_the_message_as_json_and_shows_its_host_alone(service: Running) -> None:
    headers = await service.log_in()
    async with receiving() as (apprise_address, posted):
        host = f"http://{apprise_address.rpartition('@')[2].partition('/')[0]}"
        body = {"name": "hook", "kind": "json", "address": f"{host}/hook?token=very-secret-token"}
        added = await service.post(CHANNELS, json=body, headers=headers)
        tried = await service.post(f"{CHANNELS}/test", json={"channel": 1}, headers=headers)
    assert (added.json["channels"][0]["kind"], added.json["channels"][0]["host"]) == ("json", host)
    assert tried.json["taken"]
    assert json.loads(posted.get_nowait())["kind"] == "test"
    assert "very-secret" not in added.text + tried.text


@pytest.mark.parametrize("address", ["nonsense", "file:///etc/passwd", "http://"])
async def test_a_webhook_without_a_url_is_400_and_not_kept(service: Running, address: str) -> None:
    body = {"name": "hook", "kind": "json", "address": address}
    refused = await service.post(CHANNELS, json=body, headers=await service.log_in())

    assert (refused.status, refused.json["code"]) == (400, "bad_setting")
    assert refused.json["reasons"] == [{"code": "channel_url", "params": {"field": "address"}}]
    assert (await service.get(CHANNELS)).json["channels"] == []


async def test_an_address_that_the_library_cannot_use_is_400_and_not_kept(service: Running) -> None:
    body = {"name": "ops", "address": "nonsense"}
    refused = await service.post(CHANNELS, json=body, headers=await service.log_in())

    assert (refused.status, refused.json["code"]) == (400, "bad_setting")
    assert (await service.get(CHANNELS)).json["channels"] == []


async def test_a_channel_that_is_not_there_is_404(service: Running) -> None:
    unknown = await service.post(f"{CHANNELS}/test", json={"channel": 9}, headers=await service.log_in())

    assert (unknown.status, unknown.json["code"]) == (404, "channel_unknown")
