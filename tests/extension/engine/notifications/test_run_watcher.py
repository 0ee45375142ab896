"""Messages about ended runs, and about schedules that could not start."""

import asyncio
import json
from pathlib import Path

import pytest

from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.port import Answer
from extension.engine.history.comparison import Difference
from extension.engine.notifications.channels import ChannelSetup
from extension.store.errors import DatabaseTrouble
from extension.store.notifications.channels import ChannelKind
from extension.store.runs.schedules import Plan
from tests.extension.engine.notifications.stand_in import MemoryStore, RecordingSender, checked, opened, webhook
from tests.extension.engine.scenario import compat_config, ended, honest, key_of, settings


async def test_a_run_that_changes_the_picture_is_told_without_secrets_and_others_are_not(tmp_path: Path) -> None:
    gateway, post = FakeGateway(compat_config(["alpha", "beta"])), RecordingSender()
    async with opened(tmp_path, gateway, webhook(post)) as (inspector, _):
        gateway.upstream = honest()
        await checked(inspector)
        await checked(inspector)
        gateway.upstream = lambda _: reply(401, json.dumps({"error": f"bad key {key_of('alpha')}"}))
        changed = await checked(inspector)
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


async def test_without_a_channel_no_run_is_compared_and_nothing_is_sent(tmp_path: Path) -> None:
    gateway, post = FakeGateway(compat_config(["alpha"])), RecordingSender()
    setup = ChannelSetup(MemoryStore(), {ChannelKind.JSON: post})
    async with opened(tmp_path, gateway, setup) as (inspector, channels):
        await checked(inspector)
        gateway.upstream = lambda _: reply(401)
        await checked(inspector)
        assert await channels.recent() == ()
    assert post.messages.empty()


async def test_an_event_that_cannot_be_read_for_a_moment_is_reported_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gateway, post = FakeGateway(compat_config(["alpha"])), RecordingSender()
    failures = [DatabaseTrouble("The disk is away.")]
    async with opened(tmp_path, gateway, webhook(post)) as (inspector, _):
        compare = inspector.history.difference

        async def difference(run_id: int, against: int | None = None) -> Difference:
            if failures and run_id == 2:
                raise failures.pop()
            return await compare(run_id, against)

        await checked(inspector)
        monkeypatch.setattr(inspector.history, "difference", difference)
        gateway.upstream = lambda _: reply(401)
        changed = await checked(inspector)
        async with asyncio.timeout(5):
            assert (await post.messages.get())["run"] == changed
    assert not failures


async def test_a_sampled_run_of_an_unchanged_pool_sends_nothing(tmp_path: Path) -> None:
    gateway, post = FakeGateway(compat_config(["alpha", "beta", "gamma"])), RecordingSender()
    async with opened(tmp_path, gateway, webhook(post)) as (inspector, _):
        await checked(inspector)
        sampled = await inspector.runs.start(settings(sampleSize=1), "anna")
        await ended(inspector, sampled.id)
        gateway.upstream = lambda _: reply(401)
        changed = await checked(inspector)
        assert (await post.messages.get())["run"] == changed


async def test_the_first_run_reports_its_automatic_actions(tmp_path: Path) -> None:
    gateway, post = FakeGateway(compat_config(["alpha", "beta"])), RecordingSender()
    gateway.upstream = lambda _: reply(401)
    async with opened(tmp_path, gateway, webhook(post)) as (inspector, _):
        run = await inspector.runs.start(settings(autoActionMode="disable", brake=False), "schedule nightly")
        await ended(inspector, run.id)
        message = await post.messages.get()
    assert (message["kind"], message["run"], message["changed"], message["acted"]) == (
        "inspection.changed",
        run.id,
        0,
        2,
    )
    assert message["outcomes"] == {"disable applied": 2}
    shown = {(action["displayName"], action["action"], action["outcome"]) for action in message["actions"]}
    assert shown == {("alpha", "disable", "applied"), ("beta", "disable", "applied")}


async def test_a_run_that_a_dead_process_left_is_reported_as_interrupted_at_the_next_start(tmp_path: Path) -> None:
    gateway, post, probed = FakeGateway(compat_config(["alpha"])), RecordingSender(), asyncio.Event()

    async def never(_: UpstreamRequest) -> Answer:
        probed.set()
        await asyncio.Event().wait()
        raise AssertionError

    gateway.upstream = never
    setup = webhook(post)
    async with opened(tmp_path, gateway, setup) as (inspector, _):
        run = await inspector.runs.start(settings(timeoutSeconds=120), "anna")
        await probed.wait()
    while not post.messages.empty():
        post.messages.get_nowait()
    async with opened(tmp_path, gateway, setup), asyncio.timeout(5):
        message = await post.messages.get()
    assert (message["kind"], message["run"], message["state"]) == ("inspection.failed", run.id, "interrupted")
    assert message["reason"] == "The service was closed during the run."
    async with opened(tmp_path, gateway, setup) as (_, channels):
        await channels.test(1)
        assert (await post.messages.get())["kind"] == "test"


async def test_a_schedule_that_cannot_start_is_reported_with_its_reason(tmp_path: Path) -> None:
    gateway, post = FakeGateway(""), RecordingSender()
    async with opened(tmp_path, gateway, webhook(post)) as (inspector, _), asyncio.timeout(5):
        await inspector.schedules.save(Plan("nightly", True, 1, 0, {"accountSource": "api_key"}), "anna")
        message = await post.messages.get()
    assert (message["kind"], message["name"]) == ("schedule.failed", "nightly")
    assert "no account" in message["reason"]
    assert message["reasons"] == [{"code": "nothing_in_scope", "params": {}}]
