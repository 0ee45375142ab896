"""Channels: several addresses at once, each with its topics, tested and recorded, and never shown."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from adapter.fake import FakeGateway, reply
from adapter.privacy.secret import Secret
from extension.engine.errors import ChannelUnknown
from extension.engine.inspector import Inspector
from extension.engine.notifications.channels import Channels
from extension.engine.notifications.message_text import MessageText, message_text
from extension.engine.notifications.messages import TEST, not_started
from extension.engine.notifications.notifier import Notifier, WebhookConfig
from extension.engine.notifications.topics import Topic, topics_of
from extension.engine.notifications.webhook_client import Sent
from extension.inspection.settings import SettingsError
from extension.store.data_folder import DataFolder
from extension.store.notifications.channel_file import ChannelFile, ChannelRecord
from tests.extension.engine.notifications.stand_in import Kept, Posted, opened
from tests.extension.engine.scenario import compat_config, ended, settings


class Chat:
    """Takes what it is given, but for addresses that are broken."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, MessageText]] = []

    async def service_of(self, address: Secret) -> str | None:
        return None if address.reveal() == "nonsense" else "Chat"

    async def send(self, address: Secret, text: MessageText, *, is_test: bool) -> Sent:
        if "broken" in address.reveal():
            return Sent(taken=False, attempts=1 if is_test else 3, problem="The service did not take the message.")
        self.taken.append((address.reveal(), text))
        return Sent(taken=True, attempts=1)


class Shelf:
    """Keeps channels in memory."""

    def __init__(self) -> None:
        self.channels: tuple[ChannelRecord, ...] = ()

    def read(self) -> tuple[ChannelRecord, ...]:
        return self.channels

    def write(self, channels: Sequence[ChannelRecord]) -> None:
        self.channels = tuple(channels)


def channels_of(notifier: Notifier) -> Channels:
    assert notifier.channels is not None
    return notifier.channels


async def inspected(inspector: Inspector) -> int:
    return (await ended(inspector, (await inspector.start(settings(), "anna")).id)).id


async def test_every_channel_gets_the_events_of_its_topics_and_a_broken_one_stops_no_other(tmp_path: Path) -> None:
    gateway, chat, post = FakeGateway(compat_config(["alpha", "beta"])), Chat(), Posted()
    webhook = WebhookConfig(post, Kept("http://127.0.0.1:9/hook"), None, Shelf(), chat)
    async with opened(tmp_path, gateway, webhook) as (inspector, notifier):
        channels = channels_of(notifier)
        await channels.add("broken", Secret("slack://broken"), ())
        await channels.add("all", Secret("slack://all"), ())
        await channels.add("failures", Secret("slack://failures"), (Topic.FAILURES.value,))
        await inspected(inspector)
        gateway.upstream = lambda _: reply(401)
        changed = await inspected(inspector)
        await post.messages.get()
        async with asyncio.timeout(5):
            while len(recent := await channels.recent()) < 2:  # noqa: ASYNC110 - a read is no event
                await asyncio.sleep(0)
    assert [address for address, _ in chat.taken] == ["slack://all"]
    assert chat.taken[0][1].title == f"Poolkeeper: run {changed} finished"
    body = chat.taken[0][1].body
    assert "2 changed since run 1." in body
    assert "- alpha (openai-compatibility[0]): Inconclusive, now Invalid key (recommended: disable)" in body
    assert {(each.channel, each.taken, each.run_id) for each in recent} == {(1, False, changed), (2, True, changed)}


async def test_a_slow_channel_does_not_delay_the_webhook(tmp_path: Path) -> None:
    class Slow(Chat):
        async def send(self, address: Secret, text: MessageText, *, is_test: bool) -> Sent:
            await answered.wait()
            return await super().send(address, text, is_test=is_test)

    answered, chat, post = asyncio.Event(), Slow(), Posted()
    webhook = WebhookConfig(post, Kept("http://127.0.0.1:9/hook"), None, Shelf(), chat)
    async with opened(tmp_path, FakeGateway(compat_config(["alpha"])), webhook) as (_, notifier):
        await channels_of(notifier).add("slow", Secret("slack://slow"), ())
        message = not_started({"schedule": 4, "name": "nightly", "problem": "No."})
        async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
            sending = tasks.create_task(notifier.send(message))
            assert (await post.messages.get())["kind"] == "schedule.failed"
            assert not chat.taken
            answered.set()
        assert sending.result()
    assert [address for address, _ in chat.taken] == ["slack://slow"]


async def test_a_channel_is_added_edited_tested_and_removed(tmp_path: Path) -> None:
    chat = Chat()
    webhook = WebhookConfig(Posted(), Kept(), None, Shelf(), chat)
    async with opened(tmp_path, FakeGateway(compat_config(["alpha"])), webhook) as (_, notifier):
        channels = channels_of(notifier)
        with pytest.raises(SettingsError):
            await channels.add("odd", Secret("nonsense"), ())
        await channels.add("ops", Secret("slack://one"), ())
        await channels.edit(1, "on call", None, (Topic.FAILURES.value,))
        sent = await channels.test(1)
        (shown,) = await channels.all()
        assert (shown.name, shown.scheme, shown.topics, shown.last) == ("on call", "slack", ("failures",), sent)
        assert await notifier.is_wanted()
        await channels.remove(1)
        with pytest.raises(ChannelUnknown):
            await channels.test(1)
        assert not await notifier.is_wanted()
    assert chat.taken == [("slack://one", message_text(TEST))]


def test_channels_are_a_private_file_of_the_data_folder(tmp_path: Path) -> None:
    record = ChannelRecord(3, "ops", Secret("slack://token"), ("changes",))
    with DataFolder.open(tmp_path / "data") as folder:
        kept = ChannelFile(folder)
        kept.write([record])
        again = kept.read()
    file = tmp_path / "data" / "channels.json"

    assert [(each.id, each.name, each.address.reveal(), each.topics) for each in again] == [
        (3, "ops", "slack://token", ("changes",))
    ]
    assert file.stat().st_mode & 0o777 == 0o600
    assert "token" not in repr(again)


def test_a_missed_start_is_a_failure_in_plain_words() -> None:
    message = not_started({"schedule": 4, "name": "nightly", "problem": "Another run is active."})

    assert topics_of(message) == {Topic.FAILURES}
    assert message_text(message) == MessageText(
        "Poolkeeper: schedule nightly could not start", "Another run is active."
    )


def test_a_test_message_has_no_topic() -> None:
    assert topics_of(TEST) == frozenset()
