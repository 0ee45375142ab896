"""A console of a fleet on PostgreSQL, over real HTTP, with stand-ins for its gateways."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import aiohttp
import uvicorn

from adapter.clock import SystemClock
from adapter.contract.expectations import own_root
from adapter.privacy.secret import Secret
from extension.engine.operators.operators import Operators
from extension.engine.operators.permission import Operator
from extension.serving.fleet_processes import fleet_application
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.database.opening import server_storage
from tests.adapter.management.stand_in import StandIn, claude, standing
from tests.servers.loopback_server import LoopbackServer

CONSOLE_KEY = "c0nsole-key-1f0a9b"
KEYS = ("k3y-of-east-5c1f", "k3y-of-west-77d0", "k3y-of-north-31aa")
NAMES = ("east", "west", "north")
ROOT = own_root()


@dataclass
class Console:
    """A running console with its gateways."""

    address: str
    browser: aiohttp.ClientSession
    stand_ins: list[StandIn] = field(default_factory=list)
    urls: list[str] = field(default_factory=list)
    key: str = CONSOLE_KEY

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        headers = {"X-Management-Key": self.key}
        url = f"{self.address}{ROOT}/{path}"
        async with self.browser.request(method, url, json=body, headers=headers) as answer:
            return answer.status, json.loads(await answer.text())

    async def add(self, *places: int) -> None:
        for place in places:
            labels = {"team": NAMES[place]}
            body = {"name": NAMES[place], "url": self.urls[place], "key": KEYS[place], "labels": labels}
            status, answer = await self.ask("POST", "fleet/gateways", body)
            assert status == 201, answer

    async def accounts(self, pool: str) -> set[int]:
        """The numbers of the keys in a pool."""
        status, answer = await self.ask("GET", f"pool?pool={pool}&source=api_key")
        assert status == 200, answer
        return {account["id"] for account in answer["accounts"]}

    async def until(self, path: str, holds: Callable[[Any], object]) -> Any:
        """Ask again and again until a condition holds for the answer, and return it."""
        async with asyncio.timeout(30):
            while not holds(answer := (await self.ask("GET", path))[1]):  # noqa: ASYNC110 - another process brings it about
                await asyncio.sleep(0.05)
        return answer


@asynccontextmanager
async def served(
    path: Path, database: str, more: Mapping[str, str] = MappingProxyType({})
) -> AsyncIterator[tuple[str, aiohttp.ClientSession]]:
    listener = socket.create_server(("127.0.0.1", 0))
    host, port = listener.getsockname()
    variables = {"POOLKEEPER_DATA_DIR": str(path), "POOLKEEPER_DATABASE_URL": database, **more}
    application = fleet_application(Secret(CONSOLE_KEY), variables, f"{host}:{port}")
    server = LoopbackServer(uvicorn.Config(application, lifespan="on", log_config=None, access_log=False))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as browser:
        ready = asyncio.ensure_future(server.ready.wait())
        await asyncio.wait({ready, serving}, return_when=asyncio.FIRST_COMPLETED)
        assert ready.done(), "the console did not start"
        try:
            yield f"http://{host}:{port}", browser
        finally:
            await browser.close()
            server.leaving.set()
            await asyncio.gather(serving, return_exceptions=True)


@asynccontextmanager
async def console(
    path: Path, database: str, gateways: int = 3, more: Mapping[str, str] = MappingProxyType({})
) -> AsyncIterator[Console]:
    async with AsyncExitStack() as opened:
        stand_ins, urls = [], []
        for place in range(gateways):
            stand_in = StandIn()
            stand_in.key = KEYS[place]
            stand_in.sections["claude-api-key"] = [claude(10 * place + number) for number in range(place + 1)]
            stand_in.reload()
            stand_ins.append(stand_in)
            urls.append((await opened.enter_async_context(standing(stand_in))).address)
        address, browser = await opened.enter_async_context(served(path, database, more))
        yield Console(address, browser, stand_ins, urls)


async def issued(address: str, *operators: Operator) -> list[str]:
    """Store operators, as the command does, and return a token of each."""
    database = await Database.open(DataFolder.without_files(Path()), SystemClock(), server_storage(Secret(address)))
    service = Operators(database, SystemClock())
    tokens = []
    for operator in operators:
        await service.add(operator, "a test")
        tokens.append((await service.issue(operator.name, 1, "", "a test")).token.reveal())
    await database.close()
    return tokens
