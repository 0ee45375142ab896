"""The real service in a real gateway: one engine at a time, and none while the plugin is disabled."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from aiohttp import web

from adapter.contract.expectations import own
from extension.plugin.install.library import library_version, native_library
from tests.stock.plugin.conftest import Make
from tests.stock.plugin.stock import INFO, PAGE, PluginGateway, until
from tests.stock.table import FIGURE

pytestmark = pytest.mark.timeout(400)
SERVICE = [sys.executable, "-m", "extension", "plugin", "serve"]
KEYS = 2_000
STATE = "/v0/management/plugins/poolkeeper/enabled"
NEWER = "9.9.9"
DISABLED_SECONDS = 30.0
QUIET_SECONDS = 5.0


class SlowProvider:
    """A provider that takes its time, and counts."""

    def __init__(self) -> None:
        self.requests = 0

    async def answer(self, _request: web.Request) -> web.Response:
        self.requests += 1
        await asyncio.sleep(1)
        return web.json_response({"object": "list", "data": []})


@pytest.fixture
def provider() -> SlowProvider:
    return SlowProvider()


@pytest.fixture
async def gateway(make: Make, provider: SlowProvider) -> AsyncIterator[PluginGateway]:
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", provider.answer)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    gateway = make(settings={"command": SERVICE})
    values = yaml.safe_load(gateway.config.read_text("utf-8"))
    values["openai-compatibility"] = [
        {
            "name": "relay",
            "base-url": f"http://127.0.0.1:{runner.addresses[0][1]}/v1",
            "api-key-entries": [{"api-key": f"sk-relay-{number:020}"} for number in range(KEYS)],
            "models": [],
        }
    ]
    gateway.config.write_text(yaml.safe_dump(values, sort_keys=False), encoding="utf-8")
    await gateway.open(90)
    yield gateway
    await gateway.stop()
    await runner.cleanup()


def lines(gateway: PluginGateway, text: str) -> int:
    return gateway.log.read_text("utf-8", "replace").count(text)


async def posted(gateway: PluginGateway, path: str, body: object, method: str = "POST") -> Any:
    headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
    status, answer, _ = await gateway.ask(path, method=method, body=json.dumps(body).encode(), headers=headers)
    assert status < 300, answer
    return json.loads(answer)


async def test_a_disabled_plugin_probes_nothing_and_goes_on_when_enabled(
    gateway: PluginGateway, provider: SlowProvider, record_property: Callable[[str, object], None]
) -> None:
    run = (await posted(gateway, own("inspections"), {"accountSource": "api_key"}))["run"]["id"]

    async def probing() -> bool:
        return provider.requests > 5

    await until(probing)
    await posted(gateway, STATE, {"enabled": False}, "PATCH")

    async def paused() -> bool:
        return lines(gateway, "paused: no inspection and no action") == 1

    taken = await until(paused, DISABLED_SECONDS)
    await asyncio.sleep(2)  # probes on their way
    count = provider.requests
    await asyncio.sleep(QUIET_SECONDS)
    record_property(FIGURE, f"disabled: the engine stops after {taken:.1f} s, {KEYS - count} keys are left")
    assert count == provider.requests < KEYS
    assert await gateway.status(INFO) == 404

    await posted(gateway, STATE, {"enabled": True}, "PATCH")

    async def open_again() -> bool:
        return lines(gateway, "engine runs") == 2

    taken = await until(open_again, DISABLED_SECONDS)
    record_property(FIGURE, f"enabled: the engine runs again after {taken:.1f} s")
    assert count == provider.requests  # a run that a person started waits for a person
    await posted(gateway, f"{own('inspections/resume')}?run={run}", {})

    async def going_on() -> bool:
        return provider.requests > count

    await until(going_on, DISABLED_SECONDS)


async def test_of_two_versions_in_one_gateway_the_newer_has_the_engine(
    gateway: PluginGateway, record_property: Callable[[str, object], None]
) -> None:
    older = library_version()
    content = native_library().read_bytes()
    manifest = f'"Version": "{older}"'.encode()
    assert content.count(manifest) == 1
    assert len(older) == len(NEWER)
    copy = gateway.plugins / "next"
    copy.write_bytes(content.replace(manifest, f'"Version": "{NEWER}"'.encode()))
    copy.rename(Path(gateway.plugins) / f"poolkeeper-v{NEWER}.so")
    assert lines(gateway, "engine runs") == 1
    gateway.config.write_text(gateway.config.read_text("utf-8") + "request-retry: 1\n", encoding="utf-8")

    async def taken_over() -> bool:
        return lines(gateway, "engine runs") == 2

    taken = await until(taken_over, 90)
    assert lines(gateway, "a newer process takes over") == 1
    await gateway.ready()
    status, page, _ = await gateway.ask(PAGE, key=False)
    assert status == 503  # the library is newer than the process: the page says so
    assert NEWER.encode() in page
    assert older.encode() in page
    record_property(FIGURE, f"two versions in one gateway: the newer has the engine after {taken:.1f} s")
    await asyncio.sleep(QUIET_SECONDS)
    assert lines(gateway, "engine runs") == 2
