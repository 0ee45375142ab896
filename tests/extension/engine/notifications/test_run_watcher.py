"""What is told when the picture changes, to whom, and what never is."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from adapter.fake import FakeGateway, reply
from adapter.privacy.secret import Redactor, Secret
from extension.engine.errors import WebhookFixed, WebhookMissing
from extension.engine.inspector import Inspector
from extension.engine.notifications.notifier import Notifier, SetBy, WebhookConfig, WebhookStatus
from extension.engine.notifications.webhook_client import ATTEMPTS, Sent, Webhook
from extension.inspection.settings import SettingsError
from extension.store import events
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.errors import DatabaseTrouble
from extension.store.records import EventKind
from tests.extension.engine.scenario import FlyingClock, compat_config, ended, key_of, settings

PLACE = "http://127.0.0.1:9/hook"


class Posted:
    """Keeps what it is given, and takes it or not."""

    def __init__(self, sent: Sent | None = None) -> None:
        self.messages: asyncio.Queue[Mapping[str, Any]] = asyncio.Queue()
        self.addresses: list[str] = []
        self.sent = sent or Sent(taken=True, attempts=1)

    async def post(self, address: Secret, message: Mapping[str, Any], attempts: int = ATTEMPTS) -> Sent:
        self.addresses.append(address.reveal())
        self.messages.put_nowait(message)
        return replace(self.sent, attempts=min(self.sent.attempts, attempts))


class Kept:
    """Keeps an address in memory."""

    def __init__(self, address: str = "") -> None:
        self.address = address

    def read(self) -> Secret | None:
        return Secret(self.address) if self.address else None

    def write(self, address: Secret | None) -> None:
        self.address = address.reveal() if address else ""


@asynccontextmanager
async def telling(
    path: Path, gateway: FakeGateway, webhook: WebhookConfig
) -> AsyncIterator[tuple[Inspector, Notifier]]:
    """Open the engine with somebody to tell."""
    with DataFolder.open(path) as folder:
        database = await Database.open(folder)
        inspector = Inspector(gateway, database, FlyingClock(), Redactor(), webhook=webhook)
        await inspector.open()
        assert inspector.notifier is not None
        yield inspector, inspector.notifier
        await inspector.close()
        await database.close()


async def inspected(inspector: Inspector) -> int:
    return (await ended(inspector, (await inspector.start(settings(), "anna")).id)).id


async def test_a_run_that_changes_the_picture_is_told_without_secrets_and_others_are_not(tmp_path: Path) -> None:
    gateway, post = FakeGateway(compat_config(["alpha", "beta"])), Posted()
    async with telling(tmp_path, gateway, WebhookConfig(post, Kept(f"{PLACE}?token=t"))) as (inspector, _):
        await inspected(inspector)
        await inspected(inspector)
        gateway.upstream = lambda _: reply(401, json.dumps({"error": f"bad key {key_of('alpha')}"}))
        changed = await inspected(inspector)
        message = await post.messages.get()
    assert post.messages.empty()
    assert (message["kind"], message["run"], message["changed"]) == ("inspection.changed", changed, 2)
    (first, _) = message["changes"]
    assert (first["displayName"], first["before"]["verdict"], first["after"]["verdict"]) == (
        "alpha",
        "healthy",
        "invalid_key",
    )
    assert "sk-" not in json.dumps(message)


async def test_while_nobody_is_to_be_told_no_run_is_compared_and_nothing_is_sent(tmp_path: Path) -> None:
    gateway, post, kept = FakeGateway(compat_config(["alpha"])), Posted(), Kept()
    async with telling(tmp_path, gateway, WebhookConfig(post, kept)) as (inspector, notifier):
        await inspected(inspector)
        gateway.upstream = lambda _: reply(401)
        await inspected(inspector)
        assert await notifier.standing() == WebhookStatus(SetBy.NOBODY, "", None)
        with pytest.raises(WebhookMissing):
            await notifier.test()
    assert post.messages.empty()


async def test_what_became_of_a_message_is_remembered(tmp_path: Path) -> None:
    post = Posted(Sent(taken=True, attempts=2))
    async with telling(tmp_path, FakeGateway(""), WebhookConfig(post, Kept(PLACE))) as (_, notifier):
        assert await notifier.send({"kind": "inspection.changed", "run": 7})
        standing = await notifier.standing()
    assert standing.last is not None
    assert (standing.last.kind, standing.last.run_id, standing.last.attempts) == ("inspection.changed", 7, 2)


async def test_an_event_tells_of_each_delivery_and_of_each_change_of_the_address(tmp_path: Path) -> None:
    async with telling(tmp_path, FakeGateway(""), WebhookConfig(Posted(), Kept())) as (inspector, notifier):
        await notifier.change(Secret(PLACE))
        delivery = await notifier.test()
        log = await inspector.events()
    told = [event.data for event in log if event.kind is EventKind.WEBHOOK]
    assert told == [{}, {"ids": [delivery.id]}]


async def test_an_address_is_set_tested_and_taken_away(tmp_path: Path) -> None:
    refused = Sent(taken=False, attempts=3, problem="It answered HTTP 500.")
    post, kept = Posted(refused), Kept()
    async with telling(tmp_path, FakeGateway(""), WebhookConfig(post, kept)) as (_, notifier):
        await notifier.change(Secret(f"{PLACE}?token=very-secret"))
        delivery = await notifier.test()
        assert (delivery.taken, delivery.attempts, delivery.problem) == (False, 1, "It answered HTTP 500.")
        standing = await notifier.standing()
        assert (standing.set_by, standing.host, standing.last) == (SetBy.PERSON, "http://127.0.0.1:9", delivery)
        await notifier.change(None)
        assert (await notifier.standing()).set_by is SetBy.NOBODY
    assert post.addresses == [f"{PLACE}?token=very-secret"]
    assert kept.address == ""


@pytest.mark.parametrize("text", ["ftp://host/", "http://", "nonsense", "http://a b", f"http://{'a' * 2000}"])
async def test_what_is_no_address_is_refused_without_being_repeated(tmp_path: Path, text: str) -> None:
    async with telling(tmp_path, FakeGateway(""), WebhookConfig(Posted(), Kept())) as (_, notifier):
        with pytest.raises(SettingsError, match="http or https") as refusal:
            await notifier.change(Secret(text))
    assert text not in str(refusal.value)


async def test_an_address_of_the_services_settings_wins_and_stays(tmp_path: Path) -> None:
    post = Posted()
    line = WebhookConfig(post, Kept("http://127.0.0.1:7/mine"), Secret(f"{PLACE}?token=t"))
    async with telling(tmp_path, FakeGateway(""), line) as (_, notifier):
        assert (await notifier.standing()).set_by is SetBy.SETTINGS
        with pytest.raises(WebhookFixed):
            await notifier.change(None)
        assert (await notifier.test()).taken
    assert post.addresses == [f"{PLACE}?token=t"]


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
        sent = await Webhook(FlyingClock(), Random(7)).post(Secret(address), {"kind": "test"})
    assert sent == Sent(taken, asked, "" if taken else "It answered HTTP 302.")
    assert bodies == [{"kind": "test"}] * asked
    assert asked <= ATTEMPTS
    assert "very-secret-token" not in capsys.readouterr().out


async def test_an_address_that_nobody_listens_at_is_no_more_than_a_line_in_the_log() -> None:
    sent = await Webhook(FlyingClock(), Random(7)).post(Secret(PLACE), {})

    assert sent == Sent(taken=False, attempts=ATTEMPTS, problem="No connection to it.")


async def test_a_database_that_fails_for_a_moment_does_not_end_the_telling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gateway, post = FakeGateway(compat_config(["alpha"])), Posted()
    failing = [events.newest]

    def newest(transaction: Transaction) -> int:
        if failing:
            raise DatabaseTrouble(f"The disk is away: {failing.pop()}")
        return found(transaction)

    async with telling(tmp_path, gateway, WebhookConfig(post, Kept(PLACE))) as (inspector, _):
        await inspected(inspector)
        found = events.newest
        monkeypatch.setattr(events, "newest", newest)
        gateway.upstream = lambda _: reply(401)
        changed = await inspected(inspector)
        async with asyncio.timeout(5):
            assert (await post.messages.get())["run"] == changed
    assert not failing
