"""What is told when the picture changes, to whom, and what never is."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from adapter.fake import FakeGateway, reply
from adapter.secret import Redactor, Secret
from extension.engine.inspector import Inspector
from extension.engine.notify import ATTEMPTS, Webhook
from extension.store.database import Database
from extension.store.datafolder import DataFolder
from tests.extension.engine.scenario import FlyingClock, compat_config, ended, key_of, settings


class Carrier:
    """Keeps what it is given."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[Mapping[str, Any]] = asyncio.Queue()

    async def send(self, message: Mapping[str, Any]) -> bool:
        self.messages.put_nowait(message)
        return True


async def test_a_run_that_changes_the_picture_is_told_without_secrets_and_others_are_not(tmp_path: Path) -> None:
    gateway, carrier = FakeGateway(compat_config(["alpha", "beta"])), Carrier()
    with DataFolder.open(tmp_path) as folder:
        database = await Database.open(folder)
        inspector = Inspector(gateway, database, FlyingClock(), Redactor(), carrier=carrier)
        await inspector.open()

        async def inspected() -> int:
            return (await ended(inspector, (await inspector.start(settings(), "anna")).id)).id

        await inspected()
        await inspected()
        gateway.upstream = lambda _: reply(401, json.dumps({"error": f"bad key {key_of('alpha')}"}))
        changed = await inspected()
        message = await carrier.messages.get()
        await inspector.close()
        await database.close()
    assert carrier.messages.empty()
    assert (message["kind"], message["run"], message["changed"]) == ("picture.changed", changed, 2)
    (first, _) = message["changes"]
    assert (first["displayName"], first["before"]["verdict"], first["after"]["verdict"]) == (
        "alpha",
        "healthy",
        "unauthorised",
    )
    assert "sk-" not in json.dumps(message)


@pytest.mark.parametrize(("statuses", "taken", "asked"), [((204,), True, 1), ((500, 200), True, 2), ((302,), False, 3)])
async def test_a_message_is_posted_until_it_is_taken_but_not_for_ever(
    statuses: tuple[int, ...], taken: bool, asked: int, capsys: pytest.CaptureFixture[str]
) -> None:
    bodies: list[Any] = []

    async def take(request: web.Request) -> web.Response:
        bodies.append(await request.json())
        return web.Response(status=statuses[min(len(bodies), len(statuses)) - 1], headers={"Location": "/elsewhere"})

    application = web.Application()
    application.router.add_post("/hook", take)
    async with TestServer(application) as server:
        address = f"{server.make_url('/hook')}?token=very-secret-token"
        webhook = Webhook(Secret(address), FlyingClock(), Random(7))
        assert await webhook.send({"kind": "test"}) is taken
    assert bodies == [{"kind": "test"}] * asked
    assert asked <= ATTEMPTS
    assert "very-secret-token" not in capsys.readouterr().out


async def test_an_address_that_nobody_listens_at_is_no_more_than_a_line_in_the_log() -> None:
    assert await Webhook(Secret("http://127.0.0.1:9/hook"), FlyingClock(), Random(7)).send({}) is False
