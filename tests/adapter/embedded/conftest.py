import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Protocol

import pytest
from gateway.internal.configuration.files import Identity, SystemFiles
from gateway.internal.management.application import build_application
from gateway.internal.runtime import Runtime

from adapter.clock import FakeClock
from adapter.embedded import EmbeddedConnection, EmbeddedGateway


class FailingFiles(SystemFiles):
    """The real file system, on which writing fails while `full` is set."""

    def __init__(self) -> None:
        self.full = False

    def create(self, path: Path, content: bytes, identity: Identity | None) -> None:
        if self.full:
            raise OSError(28, "No space left on device")
        super().create(path, content, identity)

    def remove(self, path: Path) -> None:
        if self.full:
            raise OSError(13, "Permission denied")
        super().remove(path)


class Embedded:
    """A started runtime with its adapter."""

    def __init__(self, folder: Path, text: str, files: Mapping[str, object]) -> None:
        auths = folder / "auths"
        auths.mkdir()
        for name, content in files.items():
            (auths / name).write_text(json.dumps(content), encoding="utf-8")
        self.config = folder / "config.yaml"
        self.config.write_text(f'auth-dir: "{auths}"\n{text}', encoding="utf-8")
        self.files = FailingFiles()
        self.runtime = Runtime(self.config, environment={}, files=self.files, watch=False)
        self.clock = FakeClock(1_000)
        self.connection = EmbeddedConnection(self.runtime, build_application(self.runtime), self.clock)
        self.connection.bind(b"k" * 32)

    @property
    def gateway(self) -> EmbeddedGateway:
        return self.connection.gateway


class Start(Protocol):
    """Starts a gateway with a configuration and auth files."""

    async def __call__(self, text: str, files: Mapping[str, object] | None = None) -> Embedded: ...


@pytest.fixture
async def start(tmp_path: Path) -> AsyncIterator[Start]:
    started: list[Embedded] = []

    async def begin(text: str, files: Mapping[str, object] | None = None) -> Embedded:
        embedded = Embedded(tmp_path, text, files or {})
        await embedded.runtime.start()
        started.append(embedded)
        return embedded

    yield begin
    for embedded in started:
        await embedded.runtime.stop()
