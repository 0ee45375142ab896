"""Channels: several addresses at once, each with its topics, tested and recorded, and never shown."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from adapter.fake import FakeGateway, reply
from adapter.privacy.secret import Secret
from extension.engine.errors import ChannelUnknown
from extension.engine.history.comparison import Difference
from extension.engine.notifications.channels import ChannelSetup, Sent
from extension.engine.notifications.messages import (
    TEST,
    CountedHold,
    EndedRun,
    HostOnHold,
    MessageText,
    Topic,
    by_host,
    ended_run,
    message_text,
    not_started,
    topics_of,
)
from extension.engine.notifications.senders import ATTEMPTS, WebhookClient
from extension.inspection.settings import SettingsError
from extension.reasons.codes import HoldCode, ReasonCode
from extension.reasons.reason import NO_REASON, ReasonList, because
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.errors import SealBroken
from extension.store.notifications.channels import ChannelKind, ChannelRecord, SealedChannels
from extension.store.pool import pools
from extension.store.records import ActionOutcome, ActionRecord, ActorKind, Cause, EventKind, HeldRecord
from extension.store.run_state import RunState
from extension.store.sealing import Seal
from tests.extension.engine.history.test_comparison import a_run
from tests.extension.engine.notifications.stand_in import (
    ADDRESS,
    MemoryStore,
    RecordingSender,
    checked,
    opened,
    webhook,
)
from tests.extension.engine.samples import ACTION
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
    assert {(delivery.channel, delivery.taken, delivery.run_id) for delivery in recent} == {
        (1, False, changed),
        (2, True, changed),
        (4, True, changed),
    }
    assert next(delivery.problem for delivery in recent if not delivery.taken) == REFUSED.problem


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


async def test_channels_are_stored_sealed_for_their_pool(tmp_path: Path) -> None:
    record = ChannelRecord(3, "ops", ChannelKind.JSON, Secret("https://host/token"), ("changes",))
    with DataFolder.open(tmp_path / "data") as folder:
        database = await Database.open(folder)
        first, second = [await database.write(pools.ensure, name, 0) for name in ("first", "second")]
        store = SealedChannels(database, Seal(bytes(32)), FlyingClock())
        await store.change(first, lambda channels: (*channels, record))
        (read,) = await store.read(first)
        assert await store.read(second) == ()
        with pytest.raises(SealBroken):
            await SealedChannels(database, Seal(b"x" * 32), FlyingClock()).read(first)
        await database.close()

    assert (read.id, read.name, read.kind, read.address.reveal(), read.topics) == (
        3,
        "ops",
        ChannelKind.JSON,
        "https://host/token",
        ("changes",),
    )
    for file in (tmp_path / "data").iterdir():
        assert b"host/token" not in file.read_bytes()
    assert "token" not in repr(read)


def test_a_missed_start_is_a_failure_in_plain_words() -> None:
    message = not_started({"schedule": 4, "name": "nightly", "problem": "Another run is active."})

    assert topics_of(message) == {Topic.FAILURES}
    assert message_text(message) == MessageText(
        "Poolkeeper: schedule nightly could not start", "Another run is active."
    )


def test_a_test_message_has_no_topic() -> None:
    assert topics_of(TEST) == frozenset()


def test_an_uncertain_outcome_is_named_first_with_the_gateways_account_of_it() -> None:
    actions = [an_action(1, ActionOutcome.APPLIED), an_action(2, ActionOutcome.UNCERTAIN, "another client writes too")]
    run = a_run(3, 2)

    message = ended_run(EndedRun(run, Difference(3, None), actions, ()))

    assert [action["id"] for action in message["actions"]] == [2, 1]
    assert message["actions"][0]["text"] == "another client writes too"


@pytest.mark.parametrize(
    ("state", "news"), [("finished", False), ("stopped", False), ("failed", True), ("interrupted", True)]
)
def test_a_run_without_changes_and_actions_is_news_when_it_broke_off(state: str, news: bool) -> None:
    run = replace(a_run(3, 2), state=RunState(state))

    assert EndedRun(run, Difference(3, 2), (), ()).is_news is news


def test_a_run_that_broke_is_reported_with_the_codes_of_its_reason() -> None:
    failed = because(ReasonCode.ENDED_BY_ERROR, error="KeyError")
    run = replace(a_run(3, 2), state=RunState.FAILED, reason=failed)

    message = ended_run(EndedRun(run, Difference(3, None), (), ()))

    assert message["reasons"] == [{"code": "ended_by_error", "params": {"error": "KeyError"}}]
    assert message["reason"] == failed.text
    assert message_text(message).body.startswith("An internal error (KeyError) ended it.")


def test_actions_and_holds_are_reported_with_the_codes_of_their_reasons() -> None:
    refused = because(ReasonCode.KEY_REFUSED, key_finding="invalid_key", details="(HTTP 401)")
    done = replace(an_action(1, ActionOutcome.APPLIED), text=because(ReasonCode.DISABLED), reason=refused)
    shared = CountedHold(2, "On hold.", HoldCode.SHARED_FAILURE.value, {"alike": 3, "probes": 3})
    hold = HostOnHold("relay.example", 3, (shared, CountedHold(1, "Paused.", HoldCode.AUTOMATION_PAUSED.value, {})))

    message = ended_run(EndedRun(a_run(3, 2), Difference(3, None), [done], [hold]))

    (action,), (host,) = message["actions"], message["holds"]
    assert action["texts"] == [{"code": "disabled", "params": {}}]
    assert action["reasons"] == [
        {"code": "key_refused", "params": {"key_finding": "invalid_key", "details": "(HTTP 401)"}}
    ]
    assert (host["code"], host["params"]) == ("shared_failure", {"alike": 3, "probes": 3})
    assert (action["text"], action["reason"], host["reason"]) == (done.text.text, refused.text, "On hold.")
    assert [(reason["accounts"], reason["code"]) for reason in host["reasons"]] == [
        (2, "shared_failure"),
        (1, "automation_paused"),
    ]
    body = message_text(message).body
    assert "- relay.example: 2, On hold.\n- relay.example: 1, Paused." in body


def test_the_reasons_of_a_host_on_hold_are_counted() -> None:
    codes = [HoldCode.AUTOMATION_PAUSED, HoldCode.FIRST_FAILURE, HoldCode.FIRST_FAILURE]
    records = [
        HeldRecord(number, 3, number, "alpha", "disable", "", 0, None, "relay.example", code.value)
        for number, code in enumerate(codes)
    ]

    (host,) = by_host(records)

    assert (host.host, host.accounts) == ("relay.example", 3)
    assert [(reason.accounts, reason.code) for reason in host.reasons] == [
        (2, "first_failure"),
        (1, "automation_paused"),
    ]


def an_action(number: int, outcome: ActionOutcome, text: str = "") -> ActionRecord:
    return replace(
        ACTION,
        id=number,
        account_id=number,
        display_name="alpha",
        outcome=outcome,
        text=ReasonList(written=text),
        actor_kind=ActorKind.AUTOMATION,
        cause=Cause.RUN,
    )


def test_collisions_with_edits_by_others_are_counted_and_are_a_topic_of_their_own() -> None:
    collided = replace(
        an_action(1, ActionOutcome.APPLIED),
        text=because(ReasonCode.DISABLED) + because(ReasonCode.OTHERS_DIFFER, section="claude-api-key", entries="3"),
    )
    ended = EndedRun(a_run(3, 2), Difference(3, None), [collided, an_action(2, ActionOutcome.APPLIED)], ())

    message = ended_run(ended)

    assert message["foreignEdits"] == 1
    assert Topic.FOREIGN_EDITS in topics_of(message)
    assert "1 of them collided with an edit by another client" in message_text(message).body


def test_a_refused_action_is_told_but_not_counted_as_a_change() -> None:
    actions = [an_action(1, ActionOutcome.APPLIED), an_action(2, ActionOutcome.REFUSED, "it has no switch")]

    message = ended_run(EndedRun(a_run(3, 2), Difference(3, None), actions, ()))
    alone = ended_run(EndedRun(a_run(3, 2), Difference(3, None), actions[1:], ()))

    assert (message["acted"], message["outcomes"]) == (1, {"disable applied": 1, "disable refused": 1})
    assert (alone["acted"], Topic.ACTIONS in topics_of(alone)) == (0, True)
    assert "0 accounts changed automatically; 1 refused." in message_text(alone).body


def test_a_text_tells_accounts_with_one_name_apart() -> None:
    actions = [
        replace(an_action(1, ActionOutcome.APPLIED, "Disabled."), key_hint="sk-a…9f3c", place="claude-api-key[5]"),
        an_action(2, ActionOutcome.APPLIED, "Disabled."),
    ]

    body = message_text(ended_run(EndedRun(a_run(3, 2), Difference(3, None), actions, ()))).body

    assert "2 accounts changed automatically." in body
    assert "- disable alpha (claude-api-key[5]): Disabled." in body
    assert "- disable alpha: Disabled." in body
