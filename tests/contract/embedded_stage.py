"""The embedded gateway, set up for the suite: a real runtime over real files, and an upstream over HTTP."""

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path

from gateway.internal.configuration.files import SystemFiles
from gateway.internal.management.application import build_application
from gateway.internal.runtime import Runtime

from adapter.embedded import EmbeddedConnection, EmbeddedGateway
from adapter.port import Connection, Message
from tests.contract.pool import COMPLETION, FILES, INSTALLATION_KEY, MANAGEMENT_KEY, pool_text
from tests.contract.provider import Provider, ProviderServer


class CountingFiles(SystemFiles):
    """The real file system, counting how often config.yaml is put in place."""

    def __init__(self) -> None:
        self.written = 0

    def replace(self, source: Path, target: Path) -> None:
        self.written += target.name == "config.yaml"
        super().replace(source, target)


class EmbeddedStage:
    """A `Stage` over a runtime that has started; nothing watches the files, edits reload them."""

    def __init__(self, folder: Path) -> None:
        self._config = folder / "config.yaml"
        self._auths = folder / "auths"
        self.provider = Provider()
        self.address = ""
        self._server = ProviderServer(self.provider)
        self._files = CountingFiles()

    async def start(self) -> "EmbeddedStage":
        self.address = await self._server.start()
        self._auths.mkdir()
        for name, content in FILES.items():
            (self._auths / name).write_text(json.dumps(content), encoding="utf-8")
        self._config.write_text(pool_text(self.address, str(self._auths)), encoding="utf-8")
        self._runtime = Runtime(
            self._config, environment={"MANAGEMENT_PASSWORD": MANAGEMENT_KEY}, files=self._files, watch=False
        )
        self._application = build_application(self._runtime)
        self._connection = EmbeddedConnection(self._runtime, self._application)
        self._connection.bind(INSTALLATION_KEY)
        await self._runtime.start()
        return self

    @property
    def connection(self) -> EmbeddedConnection:
        return self._connection

    @property
    def gateway(self) -> EmbeddedGateway:
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
        return self._files.written

    async def edit(self, change: Callable[[str], str]) -> None:
        self._config.write_text(change(self.text()), encoding="utf-8")
        await self._runtime.reload()

    async def put_file(self, name: str, content: dict[str, object]) -> None:
        (self._auths / name).write_text(json.dumps(content), encoding="utf-8")
        await self._runtime.reload()

    async def spend(self) -> None:
        assert await self.complete(COMPLETION) == 200

    async def complete(self, request: Mapping[str, object]) -> int:
        """Send a client's request for a completion; return the status of its answer."""
        sent: list[Message] = []
        body: list[Message] = [{"type": "http.request", "body": json.dumps(request).encode(), "more_body": False}]

        async def receive() -> Message:
            if not body:
                await asyncio.Event().wait()  # the client stays
            return body.pop()

        async def send(message: Message) -> None:
            sent.append(message)

        headers = [(b"content-type", b"application/json")]
        path = "/v1/chat/completions"
        scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}
        await self._connection.fallback({**scope, "client": ("127.0.0.1", 1)}, receive, send)
        return int(sent[0]["status"])

    async def unbound(self) -> Connection:
        return EmbeddedConnection(self._runtime, self._application)

    async def close(self) -> None:
        await self._connection.close()
        await self._runtime.stop()
        await self._server.stop()
