"""Usage in plugin mode: the library's own feed loses records on 7.2.140, so the service reads the gateway's queue."""

import asyncio
import json
import sys
from typing import Any

import aiohttp
import pytest
import yaml

from adapter.contract.expectations import own
from tests.contract.pool import COMPLETION
from tests.stock.plugin.conftest import Make
from tests.stock.plugin.stock import PluginGateway, until

pytestmark = pytest.mark.timeout(200)
SERVICE = [sys.executable, "-m", "extension", "plugin", "serve"]
REQUESTS = 300


@pytest.fixture
async def gateway(make: Make, provider: str) -> PluginGateway:
    gateway = make(settings={"command": SERVICE})
    values = yaml.safe_load(gateway.config.read_text("utf-8"))
    values["usage-statistics-enabled"] = True
    values["openai-compatibility"] = [
        {
            "name": "solo",
            "base-url": f"{provider}/v1",
            "api-key-entries": [{"api-key": "sk-solo-0001"}],
            "models": [{"name": "demo-model", "alias": COMPLETION["model"]}],
        }
    ]
    gateway.config.write_text(yaml.safe_dump(values, sort_keys=False), encoding="utf-8")
    await gateway.open(90)
    return gateway


async def answered(gateway: PluginGateway, path: str, body: object = None) -> Any:
    status, answer, _ = await gateway.ask(
        path,
        method="GET" if body is None else "POST",
        body=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json", "Accept-Encoding": "identity"},
    )
    assert status == 200, answer
    return json.loads(answer)


async def spent(gateway: PluginGateway) -> None:
    waiting = asyncio.Semaphore(16)
    async with aiohttp.ClientSession(headers={"Authorization": "Bearer a-client-key"}) as client:

        async def one() -> None:
            async with waiting, client.post(f"{gateway.address}/v1/chat/completions", json=COMPLETION) as answer:
                assert answer.status == 200, await answer.text()

        await asyncio.gather(*(one() for _ in range(REQUESTS)))


async def test_every_request_is_counted_once_without_the_feed_of_plugins(gateway: PluginGateway) -> None:
    collection = own("usage/collection")
    await answered(gateway, collection, {"recording": True})

    async def collecting() -> bool:
        return bool((await answered(gateway, collection))["source"] in {"subscription", "queue"})

    await until(collecting)
    await spent(gateway)

    async def stored() -> bool:
        return bool((await answered(gateway, collection))["stored"] >= REQUESTS)

    await until(stored)
    state = await answered(gateway, collection)
    assert (state["stored"], state["duplicates"], state["unreadable"]) == (REQUESTS, 0, 0)
