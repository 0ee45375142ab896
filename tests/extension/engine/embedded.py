"""The engine on the real gateway in this process, in front of providers that refuse some keys."""

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from gateway.internal.configuration.files import SystemFiles
from gateway.internal.configuration.store import Loaded
from gateway.internal.management.application import build_application
from gateway.internal.runtime import Runtime

from adapter.embedded import EmbeddedConnection, EmbeddedGateway
from adapter.fake import reply
from adapter.port import Answer, NoAnswer, OutboundCall
from adapter.privacy.secret import Redactor
from extension.engine.inspector import Inspector
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.deleted_files import CopySetup
from extension.store.sealing import Seal
from tests.extension.engine.scenario import FlyingClock


class CountingFiles(SystemFiles):
    """The real file system, counting how often config.yaml is put in place."""

    written = 0

    def replace(self, source: Path, target: Path) -> None:
        self.written += target.name == "config.yaml"
        super().replace(source, target)


class CountingRuntime(Runtime):
    """A runtime that counts how often a new configuration takes effect."""

    reloads = 0

    async def _assign(self, loaded: Loaded) -> None:
        self.reloads += loaded is not self._loaded
        await super()._assign(loaded)


class Refused(EmbeddedGateway):
    """The embedded gateway in front of providers that refuse every key, but for addresses with `fine` in them."""

    async def call(self, request: OutboundCall, *, timeout: float) -> Answer | NoAnswer:  # noqa: ASYNC109 - the port's
        del timeout
        return reply(200 if "fine" in request.url else 401)


class Bench:
    """An engine, the runtime below it, and the files of both."""

    def __init__(self, folder: Path, runtime: CountingRuntime, files: CountingFiles, inspector: Inspector) -> None:
        self.config = folder / "config.yaml"
        self.auths = folder / "auths"
        self.runtime = runtime
        self.files = files
        self.inspector = inspector

    def stored(self) -> dict[str, bytes]:
        """config.yaml and the auth files, byte for byte."""
        return {path.name: path.read_bytes() for path in (self.config, *sorted(self.auths.iterdir()))}


@asynccontextmanager
async def embedded(folder: Path, text: str, credentials: Mapping[str, str] | None = None) -> AsyncIterator[Bench]:
    """Start a gateway on a configuration, `{auths}` in it being the folder of the auth files, and the engine on it."""
    (folder / "auths").mkdir()
    for name, content in (credentials or {}).items():
        (folder / "auths" / name).write_bytes(content.encode())
    (folder / "config.yaml").write_bytes(text.replace("{auths}", str(folder / "auths")).encode())
    password, files = {"MANAGEMENT_PASSWORD": os.urandom(8).hex()}, CountingFiles()
    runtime = CountingRuntime(folder / "config.yaml", environment=password, files=files, watch=False)
    connection = EmbeddedConnection(runtime, build_application(runtime))
    connection.bind(b"an installation key for this test")
    connection.gateway.__class__ = Refused
    await runtime.start()
    runtime.reloads = files.written = 0
    try:
        with DataFolder.open(folder / "data") as data:
            database = await Database.open(data)
            clock = FlyingClock()
            copies = CopySetup(Seal(bytes(32)), data)
            inspector = Inspector(connection.gateway, database, clock, Redactor(), copies=copies)
            await inspector.open()
            try:
                yield Bench(folder, runtime, files, inspector)
            finally:
                await inspector.close()
                await database.close()
    finally:
        await connection.close()
        await runtime.stop()
