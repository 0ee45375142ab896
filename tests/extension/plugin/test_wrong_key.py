"""A key that the gateway refuses: sent once, and followed by the next one in its file."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from adapter.clock import FakeClock
from adapter.privacy.secret import Secret
from extension.plugin.leased_service import LeasedService, Opened
from extension.plugin.management_key import TRIES, KeySource
from extension.plugin.settings import PluginSettings
from extension.serving.errors import NotStarted
from extension.serving.remote import remote_application
from extension.serving.remote_gateway import RemoteGateway
from extension.serving.web.lifespan import lifespan_of
from extension.store.data_folder import DataFolder
from tests.adapter.management.stand_in import StandIn, standing
from tests.extension.plugin.test_leased_service import one_thread, passes

__all__ = ["one_thread"]

REFUSAL = "The gateway refuses the management key."


@dataclass
class Gateway:
    """Stands for a gateway, and for the service in front of it: which keys were sent, and which one counts."""

    key: str
    sent: list[str] = field(default_factory=list)

    def opening(self, settings: PluginSettings, key: Secret) -> Opened:
        folder = DataFolder.open(settings.folder)

        async def application(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http":
                await send({"type": "http.response.start", "status": 200, "headers": []})
                await send({"type": "http.response.body", "body": b"{}"})
                return
            await receive()
            self.sent.append(key.reveal())
            if key.reveal() != self.key:
                folder.close()
                await send({"type": "lifespan.startup.failed", "message": REFUSAL})
                return
            await send({"type": "lifespan.startup.complete"})
            await receive()
            folder.close()
            await send({"type": "lifespan.shutdown.complete"})

        return Opened(application, lambda: key.reveal() != self.key)


def written(path: Path, key: str) -> KeySource:
    path.write_text(key)
    path.chmod(0o600)
    return KeySource(path)


@asynccontextmanager
async def keyed(gateway: Gateway, folder: Path, key: str, clock: FakeClock) -> AsyncIterator[LeasedService]:
    service = LeasedService(gateway.opening, clock)
    task = asyncio.create_task(service.run())
    service.configure(settings_of(folder, written(folder / "key", key)))
    await passes(clock)
    try:
        yield service
    finally:
        service.end()
        await task


def settings_of(folder: Path, source: KeySource) -> PluginSettings:
    return PluginSettings("http://127.0.0.1:1", source, {}, folder / "data", "poolkeeper")


async def answer_of(service: LeasedService) -> dict[str, Any]:
    messages: list[Message] = []

    async def send(message: Message) -> None:
        messages.append(message)

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    await service.application({"type": "http", "method": "GET", "path": "/", "headers": []}, receive, send)
    content: dict[str, Any] = json.loads(messages[-1]["body"])
    return content


async def refused(service: LeasedService, clock: FakeClock) -> None:
    """Wait until the refusal of the key has come to something: it reads files in threads, which take real time."""
    for _ in range(200):
        if (await answer_of(service)).get("error") == REFUSAL:
            return
        await passes(clock, 1)
    pytest.fail("the refusal of the key is not said")


async def test_a_wrong_key_is_sent_once_and_the_next_one_of_its_file_opens(tmp_path: Path) -> None:
    gateway, clock = Gateway("right"), FakeClock()
    async with keyed(gateway, tmp_path, "wrong", clock) as service:
        await refused(service, clock)
        await passes(clock, 120)
        problem = await answer_of(service)
        assert gateway.sent == ["wrong"]
        assert (problem["error"], problem["code"]) == (REFUSAL, "not_open")
        assert f"Write the gateway's management key into {tmp_path / 'key'}" in problem["hint"]
        DataFolder.open(tmp_path / "data").close()

        written(tmp_path / "key", "right")
        await passes(clock)
        assert (gateway.sent, await answer_of(service)) == (["wrong", "right"], {})


async def test_a_key_changed_at_a_running_gateway_is_followed_when_its_file_is_corrected(tmp_path: Path) -> None:
    gateway, clock = Gateway("first"), FakeClock()
    async with keyed(gateway, tmp_path, "first", clock) as service:
        written(tmp_path / "key", "second")
        await passes(clock, 60)
        assert gateway.sent == ["first"], "a key that counts is kept"
        gateway.key = "third"
        await passes(clock, 60)
        assert gateway.sent == ["first", "second"]
        written(tmp_path / "key", "third")
        await passes(clock)
        assert (gateway.sent, await answer_of(service)) == (["first", "second", "third"], {})


async def test_a_change_of_the_settings_tries_a_refused_key_again_less_often_than_a_ban_takes(tmp_path: Path) -> None:
    gateway, clock = Gateway("right"), FakeClock()
    async with keyed(gateway, tmp_path, "wrong", clock) as service:
        for _ in range(10):
            await refused(service, clock)
            service.configure(settings_of(tmp_path, KeySource(tmp_path / "key")))
            await passes(clock)
        assert gateway.sent == ["wrong"] * TRIES

    gateway, clock = Gateway("right"), FakeClock()
    async with keyed(gateway, tmp_path, "wrong", clock) as service:
        await refused(service, clock)
        gateway.key = "wrong"
        service.configure(settings_of(tmp_path, KeySource(tmp_path / "key")))
        await passes(clock)
        assert (gateway.sent, await answer_of(service)) == (["wrong", "wrong"], {})


async def test_a_key_file_that_cannot_be_used_is_read_again(tmp_path: Path) -> None:
    gateway, clock = Gateway("right"), FakeClock()
    async with keyed(gateway, tmp_path, "right", clock) as service:
        service.pause("x")
        (tmp_path / "key").chmod(0o644)
        service.resume()
        await passes(clock)
        problem = await answer_of(service)
        assert (problem["code"], "chmod 600" in problem["error"]) == ("settings_invalid", True)
        assert problem["hint"] == "The file is read again by itself; no restart is needed."
        (tmp_path / "key").chmod(0o600)
        await passes(clock)
        assert (gateway.sent, await answer_of(service)) == (["right", "right"], {})


async def test_a_service_that_did_not_start_leaves_its_data_folder(tmp_path: Path) -> None:
    environment = {"POOLKEEPER_DATA_DIR": str(tmp_path / "data"), "POOLKEEPER_LOG_LEVEL": "error"}
    async with standing(StandIn()) as place:
        application = remote_application(RemoteGateway(place.address, Secret("wrong")), environment, "127.0.0.1:1")
        with pytest.raises(NotStarted, match="refuses the management key"):
            async with lifespan_of(application, {"type": "lifespan", "state": {}}):
                raise AssertionError("it must not start")
    DataFolder.open(tmp_path / "data").close()
