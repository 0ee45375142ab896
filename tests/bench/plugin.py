"""Cost of the plugin in a stock gateway: processor time of a call, and time of the gateway's start.

`POOLKEEPER_STOCK_GATEWAY` names the gateway. `POOLKEEPER_BENCH_BESIDE` may name the folder of another clone with a
library built in it; both are then measured in turns, because figures of two runs cannot be compared.
"""

import asyncio
import os
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import aiohttp

from tests.contract.stock_stage import binaries
from tests.stock.plugin.stock import KEY, PluginGateway

BESIDE = "POOLKEEPER_BENCH_BESIDE"
_ROOT = Path(__file__).parents[2]
_CALLS, _ROUNDS, _STARTS = 100, 9, 20
_IDLE_SECONDS = 3.0
_PATHS = {
    "route of the gateway": "/v0/management/debug",
    "config/automation": "/v0/management/poolkeeper/config/automation",
    "info": "/v0/management/poolkeeper/info",
    "page": "/v0/resource/plugins/poolkeeper/inspection",
    "file of the page": "/v0/resource/plugins/poolkeeper/static/icon.svg",
}
_SERVE = "import sys; sys.path.insert(0, {!r}); from extension.__main__ import main; main()"
Seconds = tuple[float, ...]


@dataclass(slots=True)
class _Clone:
    """One contestant: a clone's service and library in a gateway of its own."""

    name: str
    gateway: PluginGateway
    idle: Seconds = (0.0, 0.0)
    calls: dict[str, list[Seconds]] = field(default_factory=dict)

    @classmethod
    def of(cls, name: str, clone: Path, folder: Path) -> "_Clone":
        command = [sys.executable, "-c", _SERVE.format(str(clone)), "plugin", "serve"]
        library = clone / "extension/plugin/native/poolkeeper-linux-amd64.so"
        return cls(name, PluginGateway(folder, plugin={"command": command, "reads-per-second": 9999}, library=library))

    def used(self) -> Seconds:
        """Return the processor seconds of the gateway and of the service so far."""
        return _processor(self.gateway.pid), _processor(self.gateway.processes()[0])

    async def rest(self) -> None:
        """Measure the processor time of each second in which nothing is asked."""
        before, began = self.used(), time.perf_counter()
        await asyncio.sleep(_IDLE_SECONDS)
        waited = time.perf_counter() - began
        self.idle = tuple((now - then) / waited for now, then in zip(self.used(), before, strict=True))

    async def ask(self, path: str) -> None:
        """Ask one path some times, and keep the milliseconds of one call, without those of the idle time."""
        headers = {"X-Management-Key": KEY}
        async with aiohttp.ClientSession(self.gateway.address, headers=headers) as client:
            before, began = self.used(), time.perf_counter()
            for _ in range(_CALLS):
                async with client.get(path) as answer:
                    assert (answer.status, bool(await answer.read())) == (200, True), path
            waited = time.perf_counter() - began
        rows = zip(self.used(), before, self.idle, strict=True)
        used = tuple((now - then - idle * waited) * 1000 / _CALLS for now, then, idle in rows)
        self.calls.setdefault(path, []).append((*used, waited * 1000 / _CALLS))


def _processor(process: int) -> float:
    """Return the processor seconds of a process, exact to the nanosecond, as /proc/PID/stat is not."""
    tasks = Path(f"/proc/{process}/task").iterdir()
    return sum(int((task / "schedstat").read_text("ascii").split()[0]) for task in tasks) / 1e9


def _clones() -> dict[str, Path]:
    beside = os.environ.get(BESIDE)
    return ({"beside": Path(beside)} if beside else {}) | {"this clone": _ROOT}


def report() -> str:
    """Measure both."""
    if not binaries():
        return "plugin: not measured. Name a stock gateway in POOLKEEPER_STOCK_GATEWAY."
    with tempfile.TemporaryDirectory(prefix="pk-bench-") as folder:
        return asyncio.run(_measured(Path(folder)))


async def _measured(folder: Path) -> str:
    async with AsyncExitStack() as stack:
        clones = [_Clone.of(name, clone, folder / name[:4]) for name, clone in _clones().items()]
        bare = PluginGateway(folder / "bare")
        for gateway in (bare, *(clone.gateway for clone in clones)):
            stack.push_async_callback(gateway.close)
        lines = await _calls(clones)
        return "\n".join([*lines, *await _starts(bare, clones)])


async def _calls(clones: Sequence[_Clone]) -> list[str]:
    for clone in clones:
        await clone.gateway.start()
        await clone.gateway.ready(90)
    for clone in clones:
        await clone.rest()
    for number in range(_ROUNDS + 1):
        for path in _PATHS.values():
            for clone in clones if number % 2 else reversed(clones):
                await clone.ask(path)
    lines = [f"CPU ms of a call, idle subtracted, medians of {_ROUNDS} rounds of {_CALLS}: gateway + service (clock)"]
    for clone in clones:
        await clone.gateway.stop()
        for name, path in _PATHS.items():
            gateway, service, clock = (median(column) for column in zip(*clone.calls[path][1:], strict=True))
            lines.append(f"  {clone.name:12} {name:22} {gateway:6.2f} + {service:5.2f}  ({clock:5.2f})")
    return lines


async def _starts(bare: PluginGateway, clones: Sequence[_Clone]) -> list[str]:
    """Return clock and processor time until the gateway listens, without and with the plugin."""
    seconds_by_name: dict[str, list[Seconds]] = {}
    contestants = {"no plugin": bare} | {clone.name: clone.gateway for clone in clones}
    for number in range(_STARTS + 1):
        order = list(contestants.items())
        for name, gateway in order if number % 2 else reversed(order):
            began = time.perf_counter()
            await gateway.launch()
            _wait_for(gateway.port)
            clock, used = time.perf_counter() - began, _processor(gateway.pid)
            await gateway.stop()
            if number:
                seconds_by_name.setdefault(name, []).append((clock * 1000, used * 1000))
    middle = {name: tuple(map(median, zip(*rows, strict=True))) for name, rows in seconds_by_name.items()}
    first = middle["no plugin"]
    lines = [f"Start of the gateway until it listens, medians of {_STARTS} interleaved: clock, CPU (ratios)"]
    for name, (clock, used) in middle.items():
        lines.append(f"  {name:12} {clock:6.1f} ms {used:6.1f} ms  ({clock / first[0]:.3f}, {used / first[1]:.3f})")
    return lines


def _wait_for(port: int) -> None:
    """Wait in this thread: nothing else is to run while a start is measured."""
    pause = threading.Event()
    while not _listens(port):
        pause.wait(0.001)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
