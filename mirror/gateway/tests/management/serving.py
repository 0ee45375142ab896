"""A gateway served over HTTP on a loopback port, inside the test's own event loop."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Generator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import bcrypt
import uvicorn
from starlette.types import ASGIApp

from gateway.internal.management.application import build_application
from gateway.internal.runtime import Runtime

KEY = "mgmt-secret"
HASH = bcrypt.hashpw(KEY.encode(), bcrypt.gensalt(4)).decode()
AUTHORISED = {"Authorization": f"Bearer {KEY}"}


@dataclass(frozen=True)
class Answer:
    """What came back: status, headers with lower-case names, body as bytes, and as JSON when it is that."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    json: object


class _Server(uvicorn.Server):
    """A server that ends at once when it is told to, instead of looking every tenth of a second."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ending = asyncio.Event()

    async def main_loop(self) -> None:
        await self.ending.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for listener in (*self.servers, *(sockets or ())):
            listener.close()
        await self.lifespan.shutdown()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


@dataclass(frozen=True)
class Served:
    """A running gateway and a client for it."""

    runtime: Runtime
    url: str
    client: aiohttp.ClientSession

    async def request(
        self,
        method: str,
        path: str,
        *,
        headers: Mapping[str, str] = AUTHORISED,
        json: object = None,
        data: bytes | None = None,
    ) -> Answer:
        """Send a request, with the right key unless other headers are given; redirects are not followed."""
        async with self.client.request(
            method, self.url + path, headers=headers, json=json, data=data, allow_redirects=False
        ) as response:
            body = await response.read()
            is_json = response.content_type == "application/json" and bool(body)
            lowered = {name.lower(): value for name, value in response.headers.items()}
            return Answer(response.status, lowered, body, await response.json() if is_json else None)


@asynccontextmanager
async def serving(application: ASGIApp) -> AsyncIterator[str]:
    """Serve an application and yield its address. Requests sent before it is up wait in the listening socket."""
    server = _Server(uvicorn.Config(application, log_config=None, proxy_headers=False, server_header=False, ws="none"))
    listener = socket.create_server(("127.0.0.1", 0))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.ending.set()
        await task


@asynccontextmanager
async def gateway(
    folder: Path,
    configuration: str,
    *,
    environment: Mapping[str, str] | None = None,
    local_password: str | None = None,
    files: Mapping[str, str] | None = None,
    watch: bool = False,
) -> AsyncIterator[Served]:
    """Write a configuration and credential files into a folder, start a gateway on them, and serve it."""
    (folder / "auths").mkdir(exist_ok=True)
    for name, text in (files or {}).items():
        (folder / "auths" / name).write_text(text)
    path = folder / "config.yaml"
    path.write_text(configuration)
    runtime = Runtime(path, environment=environment or {}, local_password=local_password, hashing_cost=4, watch=watch)
    await runtime.start()
    try:
        async with serving(build_application(runtime)) as url, aiohttp.ClientSession() as client:
            yield Served(runtime, url, client)
    finally:
        await runtime.stop()


def secured(folder: Path, rest: str = "", *, allow_remote: bool = False) -> str:
    """Return a configuration with the management key, and whatever else a test wants in it."""
    allow = "true" if allow_remote else "false"
    return (
        f'host: "127.0.0.1"\nauth-dir: "{folder}/auths"\n'
        f'remote-management:\n  allow-remote: {allow}\n  secret-key: "{HASH}"\n{rest}'
    )
