"""Channels: several addresses at once, each with its topics, tested and recorded, and never shown."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from adapter.fake import FakeGateway, reply
from adapter.privacy.secret import Secret
from extension.engine.errors import ChannelUnknown
from extension.engine.notifications.channels import ChannelSetup, Sent
from extension.engine.notifications.message_text import MessageText, message_text
from extension.engine.notifications.messages import TEST, Topic, not_started, topics_of
from extension.engine.notifications.senders import ATTEMPTS, WebhookClient
from extension.inspection.settings import SettingsError
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, because
from extension.store.data_folder import DataFolder
from extension.store.notifications.channel_file import ChannelFile, ChannelKind, ChannelRecord
from extension.store.records import EventKind
from tests.extension.engine.notifications.stand_in import (
    ADDRESS,
    MemoryStore,
    RecordingSender,
    checked,
    opened,
    webhook,
)
from tests.extension.engine.scenario import FlyingClock, compat_config

REFUSED = Sent(taken=False, attempts=3, problem=because(ReasonCode.DELIVERY_NOT_TAKEN))


class Chat(RecordingSender):
    """Sender that delivers to no address with `broken` in it."""

    async def send(self, address: Secret, message: Mapping[str, Any], *, is_test: bool) -> Sent:
        return REFUSED if "broken" in address.reveal() else await super().send(address, message, is_test=is_test)


async def test_every_channel_gets_the_events_of_its_topics_and_a_broken_one_stops_no_other(tmp_path: Path) -> None:
    gateway, chat, hook = FakeGateway(compat_config(["alpha", "beta"])), Chat(), RecordingSender()
    setup = ChannelSetup(MemoryStore(), {ChannelKind.APPRISE: chat, ChannelKind.JSON: hook})
    async with opened(tmp_path, gateway, setup) as (inspector, channels):
        await channels.add("broken", ChannelKind.APPRISE, Secret("slack://broken"), ())
        await channels.add("all", ChannelKind.APPRISE, Secret("slack://all"), ())
        await channels.add("failures", ChannelKind.APPRISE, Secret("slack://failures"), (Topic.FAILURES.value,))
        await channels.add("hook", ChannelKind.JSON, Secret(ADDRESS), ())
        await checked(inspector)
        gateway.upstream = lambda _: reply(401)
        changed = await checked(inspector)
        async with asyncio.timeout(5):
            while len(recent := await channels.recent()) < 3:  # noqa: ASYNC110 - a read is no event
                await asyncio.sleep(0)
    assert (chat.addresses, hook.addresses) == (["slack://all"], [ADDRESS])
    message = chat.messages.get_nowait()
    assert hook.messages.get_nowait() == message
    text = message_text(message)
    assert text.title == f"Poolkeeper: run {changed} finished"
    assert "2 changed since run 1." in text.body
    assert "- alpha (openai-compatibility[0]): Inconclusive, now Invalid key (recommended: disable)" in text.body
    assert {(each.channel, each.taken, each.run_id) for each in recent} == {
        (1, False, changed),
        (2, True, changed),
        (4, True, changed),
    }
    assert next(each.problem for each in recent if not each.taken) == REFUSED.problem


async def test_a_slow_channel_delays_no_other(tmp_path: Path) -> None:
    class Slow(RecordingSender):
        async def send(self, address: Secret, message: Mapping[str, Any], *, is_test: bool) -> Sent:
            await answered.wait()
            return await super().send(address, message, is_test=is_test)

    answered, chat, hook = asyncio.Event(), Slow(), RecordingSender()
    setup = ChannelSetup(MemoryStore(), {ChannelKind.APPRISE: chat, ChannelKind.JSON: hook})
    async with opened(tmp_path, FakeGateway(compat_config(["alpha"])), setup) as (_, channels):
        await channels.add("slow", ChannelKind.APPRISE, Secret("slack://slow"), ())
        await channels.add("hook", ChannelKind.JSON, Secret(ADDRESS), ())
        message = not_started({"schedule": 4, "name": "nightly", "problem": "No."})
        async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
            tasks.create_task(channels.send(message))
            assert (await hook.messages.get())["kind"] == "schedule.failed"
            assert not chat.addresses
            answered.set()
    assert chat.addresses == ["slack://slow"]


async def test_a_channel_is_added_edited_tested_and_removed(tmp_path: Path) -> None:
    chat = RecordingSender()
    setup = ChannelSetup(MemoryStore(), {ChannelKind.APPRISE: chat})
    async with opened(tmp_path, FakeGateway(compat_config(["alpha"])), setup) as (inspector, channels):
        with pytest.raises(SettingsError):
            await channels.add("odd", ChannelKind.APPRISE, Secret("nonsense"), ())
        await channels.add("ops", ChannelKind.APPRISE, Secret("slack://one"), ())
        await channels.edit(1, "on call", None, (Topic.FAILURES.value,))
        with pytest.raises(SettingsError):
            await channels.edit(1, None, Secret("nonsense"), None)
        delivery = await channels.test(1)
        (shown,) = await channels.all()
        assert (shown.name, shown.scheme, shown.host) == ("on call", "slack", "")
        assert (shown.topics, shown.last) == (("failures",), delivery)
        assert await channels.is_wanted()
        await channels.remove(1)
        with pytest.raises(ChannelUnknown):
            await channels.test(1)
        assert not await channels.is_wanted()
        log = await inspector.event_log.events()
    assert (chat.addresses, chat.messages.get_nowait()) == (["slack://one"], TEST)
    assert [event.data for event in log if event.kind is EventKind.CHANNEL] == [{}, {}, {"ids": [delivery.id]}, {}]


async def test_a_webhook_shows_scheme_and_host_alone(tmp_path: Path) -> None:
    async with opened(tmp_path, FakeGateway(""), webhook(RecordingSender())) as (_, channels):
        (shown,) = await channels.all()
    assert (shown.kind, shown.scheme, shown.host) == (ChannelKind.JSON, "http", "http://127.0.0.1:9")
    assert "secret" not in repr(shown)


@pytest.mark.parametrize(
    "text", ["ftp://host/", "http://", "nonsense", "http://a b", "http://a:99999999/", "http://[x"]
)
async def test_a_text_that_is_no_url_is_refused_without_being_repeated(text: str) -> None:
    flaw = await WebhookClient(FlyingClock(), Random(7)).flaw(Secret(text))

    assert flaw is not None
    assert flaw.text == "address: it must be an http or https address."


@pytest.mark.parametrize(
    ("statuses", "taken", "requests"), [((204,), True, 1), ((500, 200), True, 2), ((302,), False, 3)]
)
async def test_a_message_is_posted_until_it_is_accepted_but_not_for_ever(
    statuses: tuple[int, ...], taken: bool, requests: int, capsys: pytest.CaptureFixture[str]
) -> None:
    bodies: list[Any] = []

    async def take(request: web.Request) -> web.Response:
        bodies.append(await request.json())
        return web.Response(status=statuses[min(len(bodies), len(statuses)) - 1], headers={"Location": "/elsewhere"})

    application = web.Application()
    application.router.add_post("/hook", take)
    async with TestServer(application) as server:
        address = Secret(f"{server.make_url('/hook')}?token=very-secret-token")
        sent = await WebhookClient(FlyingClock(), Random(7)).send(address, {"kind": "test"}, is_test=False)
    assert sent == Sent(taken, requests, NO_REASON if taken else because(ReasonCode.DELIVERY_STATUS, status=302))
    assert bodies == [{"kind": "test"}] * requests
    assert "very-secret-token" not in capsys.readouterr().out


async def test_an_address_without_a_listener_is_no_more_than_a_line_in_the_log() -> None:
    sent = await WebhookClient(FlyingClock(), Random(7)).send(Secret(ADDRESS), {}, is_test=False)

    assert sent == Sent(taken=False, attempts=ATTEMPTS, problem=because(ReasonCode.DELIVERY_NO_CONNECTION))


def test_channels_are_a_private_file_of_the_data_folder(tmp_path: Path) -> None:
    record = ChannelRecord(3, "ops", ChannelKind.JSON, Secret("https://host/token"), ("changes",))
    with DataFolder.open(tmp_path / "data") as folder:
        store = ChannelFile(folder)
        store.write([record])
        (read,) = store.read()
    file = tmp_path / "data" / "channels.json"

    assert (read.id, read.name, read.kind, read.address.reveal(), read.topics) == (
        3,
        "ops",
        ChannelKind.JSON,
        "https://host/token",
        ("changes",),
    )
    assert file.stat().st_mode & 0o777 == 0o600
    assert "token" not in repr(read)


def test_a_missed_start_is_a_failure_in_plain_words() -> None:
    message = not_started({"schedule": 4, "name": "nightly", "problem": "Another run is active."})

    assert topics_of(message) == {Topic.FAILURES}
    assert message_text(message) == MessageText(
        "Poolkeeper: schedule nightly could not start", "Another run is active."
    )


def test_a_test_message_has_no_topic() -> None:
    assert topics_of(TEST) == frozenset()
