"""A stock gateway with the library in its folder, started and asked as an operator's would be."""

import asyncio
import io
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiohttp
import yaml

from extension.plugin.install.library import file_name, native_library
from tests.contract.stock_stage import binaries
from tools.project.demo.ports import free_port

KEY = "the management key of these tests"
INFO = "/v0/management/poolkeeper/info"
PAGE = "/v0/resource/plugins/poolkeeper/inspection"
CHILD = Path(__file__).with_name("child.py")


def child_command(folder: Path, mode: str = "serve", *more: str) -> list[str]:
    """Return the command of the tests' own plugin process."""
    return [sys.executable, str(CHILD), mode, str(folder), *more]


async def until(reached: Callable[[], Awaitable[bool]], seconds: float = 90, step: float = 0.02) -> float:
    """Ask until it has come about; return the seconds it took."""
    began = time.monotonic()
    while not await reached():
        assert time.monotonic() - began < seconds, "it has not come about in time"
        await asyncio.sleep(step)
    return time.monotonic() - began


def _runs(process: int) -> bool:
    """Return whether a process is alive; one that has ended and waits for its parent is not."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes() != b""
    except (FileNotFoundError, ProcessLookupError):
        return False


def processor_seconds(process: int) -> float:
    """Return the processor time of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class PluginGateway:
    """One folder with a stock gateway, its configuration and perhaps the library."""

    def __init__(self, folder: Path, *, plugin: Mapping[str, Any] | None = None, library: Path | None = None) -> None:
        self.folder = folder
        self.config = folder / "config.yaml"
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.plugins = folder / "plugins" / "linux" / "amd64"
        self.temporary = Path(tempfile.mkdtemp(prefix="pk-"))  # short: addresses of sockets end at 107 bytes
        self.log = folder / "gateway.log"
        (folder / "auths").mkdir(parents=True)
        if plugin is not None:
            self.plugins.mkdir(parents=True)
            shutil.copyfile(library or native_library(), self.plugins / file_name())
        self._process: asyncio.subprocess.Process | None = None
        self.start_cost = 0.0  # milliseconds of processor time until it listened
        self.write(plugin)

    def write(self, plugin: Mapping[str, Any] | None) -> None:
        """Write the configuration in place."""
        values: dict[str, Any] = {
            "host": "127.0.0.1",
            "port": self.port,
            "auth-dir": str(self.folder / "auths"),
            "remote-management": {"disable-control-panel": True},
            "api-keys": ["a-client-key"],
        }
        if plugin is not None:
            values["plugins"] = {"enabled": True, "configs": {"poolkeeper": {"enabled": True, **plugin}}}
        self.config.write_text(yaml.safe_dump(values, sort_keys=False), encoding="utf-8")

    @property
    def environment(self) -> dict[str, str]:
        """The gateway's environment: nothing beyond loopback can be reached, and it holds secrets of others."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "TMPDIR": str(self.temporary),
            "MANAGEMENT_PASSWORD": KEY,
            "HTTPS_PROXY": "http://127.0.0.1:9",
            "OTHER_SECRET": "not for a plugin",
        }

    async def launch(self) -> None:
        """Start it without waiting."""
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                binaries()[0],
                "-config",
                str(self.config),
                cwd=self.folder,
                env=self.environment,
                stdout=log,
                stderr=log,
            )

    async def start(self) -> float:
        """Start it; return the seconds until it listens."""
        began = time.monotonic()
        await self.launch()

        async def listening() -> bool:
            assert self.alive, self.log.read_text("utf-8", "replace")[-2000:]
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.close()
                return True
            return False

        async def healthy() -> bool:
            return await self.status("/healthz", key=False) == 200

        # A gateway listens after some 20 ms: a coarser step, or a request over HTTP, would measure itself.
        await until(listening, step=0.0005)
        seconds = time.monotonic() - began
        self.start_cost = self._milliseconds()
        await until(healthy)
        return seconds

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def code(self) -> int | None:
        """Return the exit status of the last one."""
        return None if self._process is None else self._process.returncode

    async def close(self) -> None:
        """End it and remove its folder for temporary files."""
        await self.stop()
        shutil.rmtree(self.temporary)

    async def stop(self, number: int = signal.SIGKILL) -> None:
        """End it with a signal and wait."""
        if self.alive and self._process is not None:
            self._process.send_signal(number)
            await self._process.wait()

    async def ask(
        self,
        path: str,
        *,
        method: str = "GET",
        key: bool = True,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> tuple[int, bytes, Mapping[str, str]]:
        """Send one request."""
        sent = {**(headers or {}), **({"X-Management-Key": KEY} if key else {})}
        limit = aiohttp.ClientTimeout(total=40)
        async with (
            aiohttp.ClientSession(timeout=limit, auto_decompress=False) as client,
            client.request(method, self.address + path, headers=sent, data=body and io.BytesIO(body)) as answer,
        ):
            return answer.status, await answer.read(), answer.headers

    async def status(self, path: str, *, key: bool = True) -> int:
        """Return the status of a GET; 0 when nothing answers."""
        try:
            return (await self.ask(path, key=key))[0]
        except aiohttp.ClientError:
            return 0

    async def ready(self, seconds: float = 30) -> float:
        """Wait until the process answers."""

        async def answers() -> bool:
            return await self.status(INFO) == 200

        return await until(answers, seconds)

    async def open(self, seconds: float = 30) -> float:
        """Start it and wait until the process answers; return the seconds of this wait."""
        await self.start()
        return await self.ready(seconds)

    def notes(self, name: str) -> list[dict[str, Any]]:
        """Return the notes of the tests' own plugin process."""
        path = self.folder / f"{name}.jsonl"
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []

    def children(self) -> list[int]:
        """Return the processes that the tests' own command started and that are alive."""
        return [note["pid"] for note in self.notes("started") if _runs(note["pid"])]

    def processes(self) -> list[int]:
        """Return the processes that the gateway has started and that are alive, whatever their command."""
        tasks = Path(f"/proc/{self.pid}/task").iterdir()
        numbers = {int(number) for task in tasks for number in (task / "children").read_text("utf-8").split()}
        return sorted(process for process in numbers if _runs(process))

    def threads(self, name: str) -> list[int]:
        """Return the threads of the gateway with this name."""
        tasks = Path(f"/proc/{self.pid}/task").iterdir()
        return [int(task.name) for task in tasks if (task / "comm").read_text("utf-8").strip() == name]

    def _milliseconds(self) -> float:
        tasks = Path(f"/proc/{self.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text("ascii").split()[0]) for task in tasks) / 1e6

    def cpu_seconds(self) -> float:
        """Return the processor time of the gateway so far."""
        return processor_seconds(self.pid)
