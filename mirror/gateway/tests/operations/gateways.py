"""Gateways to try operations on: a configuration in a folder of its own, loaded, not watched."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from gateway.internal.configuration.files import SystemFiles
from gateway.internal.runtime import Runtime

NOW = datetime(2026, 11, 21, 8, 7, tzinfo=UTC)
POOL = """# my pool
port: 1
auth-dir: {auths} # files
claude-api-key:
  # first
  - api-key: sk-claude-key-1 # one
    base-url: https://claude.example
  - api-key: sk-claude-key-2
    excluded-models:
      - opus-* # dear
  - api-key: sk-claude-key-3
    excluded-models: [] # none
openai-compatibility:
  # single
  - name: solo
    base-url: https://solo.example/v1
    api-key-entries:
      - api-key: sk-solo-key-1
      - api-key: " "
  # pair
  - name: duo
    base-url: https://duo.example/v1
    api-key-entries:
      - api-key: sk-duo-key-1
      - api-key: sk-duo-key-2
  # none
  - name: bare
    base-url: https://bare.example/v1
  # off
  - name: dark
    disabled: true # for now
    base-url: https://dark.example/v1
    api-key-entries:
      - api-key: sk-dark-key-1
# the end
"""


class CountingFiles(SystemFiles):
    """The real file system, counting how often config.yaml is replaced; ``on_replace`` may interfere before it."""

    def __init__(self) -> None:
        self.writes = 0
        self.on_replace: Callable[[], None] | None = None

    def replace(self, source: Path, target: Path) -> None:
        if target.name == "config.yaml":
            self.writes += 1
            if self.on_replace:
                self.on_replace()
        super().replace(source, target)


class Bench:
    """A loaded gateway and its files."""

    def __init__(self, folder: Path, runtime: Runtime, files: CountingFiles) -> None:
        self.config = folder / "config.yaml"
        self.auths = folder / "auths"
        self.runtime = runtime
        self.files = files

    def id_of(self, api_key: str) -> str:
        """Return the id of a configured key."""
        pool = self.runtime.snapshot
        return next(each.id for each in (*pool.credentials, *pool.dormant) if each.api_key == api_key)

    def add_file(self, name: str, **fields: object) -> Path:
        """Put a credential file into auth-dir."""
        path = self.auths / name
        path.write_text(json.dumps({"type": "claude", **fields}))
        return path


@asynccontextmanager
async def running(folder: Path, text: str = POOL, extra: str = "") -> AsyncIterator[Bench]:
    """Start a gateway on a configuration; ``{auths}`` in it is the folder of the credential files."""
    (folder / "auths").mkdir()
    (folder / "config.yaml").write_text(text.replace("{auths}", str(folder / "auths")) + extra)
    files = CountingFiles()
    runtime = Runtime(folder / "config.yaml", environment={}, files=files, now=lambda: NOW, hashing_cost=4, watch=False)
    await runtime.start()
    files.writes = 0
    try:
        yield Bench(folder, runtime, files)
    finally:
        await runtime.stop()
