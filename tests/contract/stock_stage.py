"""A stock gateway's binary, started on loopback with the pool of the suite, behind the management adapter."""

import asyncio
import json
import os
import re
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

import aiohttp

from adapter.contract.expectations import HEALTH, MANAGEMENT
from adapter.management import ManagementConnection, ManagementGateway
from adapter.management.client.http import HttpTransport
from adapter.management.client.transport import Reply, Request, TransportFailure
from adapter.port import Connection
from adapter.privacy.secret import Secret
from tests.contract.forked_gateway import ForkedGateway
from tests.contract.pool import COMPLETION, FILES, INSTALLATION_KEY, MANAGEMENT_KEY, pool_text
from tests.contract.provider import Provider, ProviderServer
from tools.project.demo.ports import free_port

BINARY = "POOLKEEPER_STOCK_GATEWAY"
"""Environment variable with the paths of stock gateways' binaries; `make test-stock` sets it."""

_MARK = "max-retry-interval"
_WRITING = ("PUT", "PATCH", "DELETE", "POST")
_PATIENCE_SECONDS = 120
"""Far more than anything takes on a busy machine."""


def binaries() -> list[str]:
    """Paths of the binaries to be tested; the first is the one most tests run against."""
    return os.environ.get(BINARY, "").split()


class CountingTransport(HttpTransport):
    """Counts what can write config.yaml: no gateway over HTTP says how often it wrote."""

    def __init__(self, address: str, key: Secret) -> None:
        super().__init__(address, key)
        self.written = 0

    async def send(self, request: Request) -> Reply:
        sections = ("-api-key", "openai-compatibility", "config.yaml")
        status = request.path.endswith("auth-files/status") and b"apikey" in (request.body or b"")
        if request.method in _WRITING and (request.path.endswith(sections) or status):
            self.written += 1
        return await super().send(request)


class Process(Protocol):
    """A gateway that runs as a process."""

    async def start(self) -> None:
        """Begin its start."""

    async def stop(self) -> None:
        """Kill it, and wait for its end."""

    @property
    def running(self) -> bool:
        """Return whether it has started and not ended."""


Prepare = Callable[[Path, Path, Mapping[str, str]], Process]
"""Makes a process from its configuration, working folder and environment."""


class GatewayProcess:
    """A gateway from a command."""

    def __init__(self, command: list[str], folder: Path, environment: Mapping[str, str]) -> None:
        self._command = command
        self._folder = folder
        self._environment = _environment(folder, environment)
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        with (self._folder / "gateway.log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, cwd=self._folder, env=self._environment, stdout=log, stderr=log
            )

    async def stop(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid


def _environment(folder: Path, more: Mapping[str, str]) -> dict[str, str]:
    variables = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return {**variables, "HOME": str(folder), **more}


async def until(reached: Callable[[], Awaitable[bool]]) -> None:
    """Ask another process until something has come about in it; there is no event to wait for."""
    for _ in range(_PATIENCE_SECONDS * 20):
        if await reached():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it has not come about in time")


async def wait_until_up(transport: HttpTransport, process: Process) -> None:
    """Ask for its health until a gateway answers; without the key, so that nothing counts as a failure."""
    for _ in range(_PATIENCE_SECONDS * 20):
        assert process.running, "the gateway ended: see gateway.log in the test's folder"
        try:
            if (await transport.send(Request("GET", HEALTH))).status == 200:
                return
        except TransportFailure:
            await asyncio.sleep(0.05)
    raise AssertionError("the gateway does not answer")


class ProcessStage:
    """A `Stage` over any gateway that runs as a process and reads config.yaml."""

    def __init__(self, folder: Path, prepare: Prepare, extra: str = "") -> None:
        self._folder = folder
        self._config = folder / "config.yaml"
        self._auths = folder / "auths"
        self._prepare = prepare
        self._extra = extra
        self.provider = Provider()
        self._server = ProviderServer(self.provider)
        self._edits = 0
        self.address = ""

    async def start(self) -> "ProcessStage":
        self.address = await self._server.start()
        port = free_port()
        self._auths.mkdir()
        for name, content in FILES.items():
            self._write_file(name, content)
        text = pool_text(self.address, str(self._auths)).replace("port: 8317", f"port: {port}")
        self._config.write_text(f"{_MARK}: 30\n{self._extra}{text}", encoding="utf-8")
        environment = _environment(self._folder, {"MANAGEMENT_PASSWORD": MANAGEMENT_KEY})
        self._process = self._prepare(self._config, self._folder, environment)
        await self._process.start()
        self._url = f"http://127.0.0.1:{port}"
        self._own = HttpTransport(self._url, Secret(MANAGEMENT_KEY))
        await wait_until_up(self._own, self._process)
        self._transport = CountingTransport(self._url, Secret(MANAGEMENT_KEY))
        self._connection = ManagementConnection(self._url, Secret(MANAGEMENT_KEY), transport=self._transport)
        self._connection.bind(INSTALLATION_KEY)
        await until(self._settled)
        return self

    @property
    def connection(self) -> ManagementConnection:
        return self._connection

    @property
    def gateway(self) -> ManagementGateway:
        return self._connection.gateway

    def text(self) -> str:
        return self._config.read_text(encoding="utf-8")

    def file(self, name: str) -> dict[str, object] | None:
        path = self._auths / name
        if not path.exists():
            return None
        content: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
        return content

    def file_text(self, name: str) -> str:
        return (self._auths / name).read_text(encoding="utf-8")

    def writes(self) -> int:
        return self._transport.written

    async def edit(self, change: Callable[[str], str]) -> None:
        """Edit the file in place, marked by a number the gateway reports, and wait for the mark and for every index."""
        self._edits += 1
        mark = 1000 + self._edits
        text = re.sub(rf"^{_MARK}: \d+$", f"{_MARK}: {mark}", change(self.text()), count=1, flags=re.MULTILINE)
        with self._config.open("r+", encoding="utf-8") as file:
            file.seek(0)
            file.write(text)
            file.truncate()

        async def marked() -> bool:
            return bool((await self._ask(_MARK)).get(_MARK) == mark)

        await until(marked)
        await until(self._settled)

    async def put_file(self, name: str, content: dict[str, object]) -> None:
        before = await self._ask("auth-files", name=name)
        self._write_file(name, content)

        async def changed() -> bool:
            return bool(await self._ask("auth-files", name=name) != before)

        await until(changed)

    async def spend(self) -> None:
        async with (
            aiohttp.ClientSession() as client,
            client.post(f"{self._url}/v1/chat/completions", json=COMPLETION) as answer,
        ):
            assert answer.status == 200, await answer.text()

    async def unbound(self) -> Connection:
        return ManagementConnection(self._url, Secret(MANAGEMENT_KEY))

    async def close(self) -> None:
        await self._connection.close()
        await self._own.close()
        await self._process.stop()
        await self._server.stop()

    def _write_file(self, name: str, content: Mapping[str, object]) -> None:
        (self._auths / name).write_text(json.dumps(content), encoding="utf-8")

    async def _ask(self, path: str, **query: str) -> Any:
        return json.loads((await self._own.send(Request("GET", f"{MANAGEMENT}/{path}", query))).body)

    async def _settled(self) -> bool:
        """Return whether every key is live that should be."""
        pool = await self.gateway.accounts()
        return all(account.probeable for account in pool.accounts if account.enabled or not account.compat_name)


async def stock(folder: Path) -> ProcessStage:
    """The stage of `make test-stock`."""
    command = [binaries()[0], "-config"]
    return await ProcessStage(
        folder, lambda config, home, environment: GatewayProcess([*command, str(config)], home, environment)
    ).start()


async def over_http(folder: Path, profile: str) -> ProcessStage:
    """The stage of our own gateway, as a process of its own behind the management adapter."""
    return await ProcessStage(folder, ForkedGateway, f"management-profile: {profile}\n").start()
