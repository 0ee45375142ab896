"""The webhook address, messages to it, and the record of their deliveries."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from adapter.fake import FakeGateway
from adapter.privacy.secret import Secret
from extension.engine.errors import WebhookFixed
from extension.engine.notifications.notifier import SetBy, WebhookConfig
from extension.engine.notifications.webhook_client import ATTEMPTS, Sent, Webhook
from extension.inspection.settings import SettingsError
from extension.store.records import EventKind
from tests.extension.engine.notifications.stand_in import PLACE, Kept, Posted, opened
from tests.extension.engine.scenario import FlyingClock


async def test_what_became_of_a_message_is_remembered(tmp_path: Path) -> None:
    post = Posted(Sent(taken=True, attempts=2))
    async with opened(tmp_path, FakeGateway(""), WebhookConfig(post, Kept(PLACE))) as (_, notifier):
        assert await notifier.send({"kind": "inspection.changed", "run": 7})
        standing = await notifier.standing()
    assert standing.last is not None
    assert (standing.last.kind, standing.last.run_id, standing.last.attempts) == ("inspection.changed", 7, 2)


async def test_an_event_tells_of_each_delivery_and_of_each_change_of_the_address(tmp_path: Path) -> None:
    async with opened(tmp_path, FakeGateway(""), WebhookConfig(Posted(), Kept())) as (inspector, notifier):
        await notifier.change(Secret(PLACE))
        delivery = await notifier.test()
        log = await inspector.events()
    told = [event.data for event in log if event.kind is EventKind.WEBHOOK]
    assert told == [{}, {"ids": [delivery.id]}]


async def test_an_address_is_set_tested_and_taken_away(tmp_path: Path) -> None:
    refused = Sent(taken=False, attempts=3, problem="It answered HTTP 500.")
    post, kept = Posted(refused), Kept()
    async with opened(tmp_path, FakeGateway(""), WebhookConfig(post, kept)) as (_, notifier):
        await notifier.change(Secret(f"{PLACE}?token=very-secret"))
        delivery = await notifier.test()
        assert (delivery.taken, delivery.attempts, delivery.problem) == (False, 1, "It answered HTTP 500.")
        standing = await notifier.standing()
        assert (standing.set_by, standing.host, standing.last) == (SetBy.PERSON, "http://127.0.0.1:9", delivery)
        await notifier.change(None)
        assert (await notifier.standing()).set_by is SetBy.NONE
    assert post.addresses == [f"{PLACE}?token=very-secret"]
    assert kept.address == ""


@pytest.mark.parametrize("text", ["ftp://host/", "http://", "nonsense", "http://a b", f"http://{'a' * 2000}"])
async def test_what_is_no_address_is_refused_without_being_repeated(tmp_path: Path, text: str) -> None:
    async with opened(tmp_path, FakeGateway(""), WebhookConfig(Posted(), Kept())) as (_, notifier):
        with pytest.raises(SettingsError, match="http or https") as refusal:
            await notifier.change(Secret(text))
    assert text not in str(refusal.value)


async def test_an_address_of_the_services_settings_wins_and_stays(tmp_path: Path) -> None:
    post = Posted()
    line = WebhookConfig(post, Kept("http://127.0.0.1:7/mine"), Secret(f"{PLACE}?token=t"))
    async with opened(tmp_path, FakeGateway(""), line) as (_, notifier):
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
