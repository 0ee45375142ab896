"""Figures of a large fleet: `python -m tests.soak.fleet_size {inspect,alone} --gateways 50 --accounts 2000`.

`inspect` has workers check all accounts, and `alone` one service without a fleet those of one gateway, on SQLite or
with `--postgresql`. Processor time counts; the gateways are in a process of their own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from aiohttp import web

from adapter.contract.expectations import own_root
from tests.adapter.management.stand_in import KEY as _KEY
from tests.adapter.management.stand_in import StandIn, claude, standing
from tests.postgresql.server import running_server
from tests.soak.usage import usage_of
from tests.system.process import clean_environment
from tools.project.demo.ports import free_port

_CALL: Final = '{"type":"message","content":[{"type":"text","text":"pong"}],"data":[]}'
RUN: Final = {"accountSource": "api_key", "retries": 0, "evidenceChecks": False}
ENDED: Final = {"ended", "finished", "stopped", "failed", "interrupted"}


class Listed(StandIn):
    """A stand-in that makes each listing once, and keeps it as bytes: it serves a large pool in little time."""

    def __init__(self, number: int, accounts: int) -> None:
        super().__init__()
        self._entries = range(number * accounts, (number + 1) * accounts)
        self._listings: dict[str, tuple[str, str]] = {}
        self.before = self.answer

    async def answer(self, request: web.Request) -> web.Response | None:
        """Answer a listing, or a call upstream: the provider serves every key."""
        if request.path.endswith("/api-call"):
            upstream = {"status_code": 200, "header": {"Content-Type": ["application/json"]}, "body": _CALL}
            return web.json_response(upstream, headers=self.version)
        if request.method != "GET" or request.path.endswith("usage-queue"):
            return None
        if request.path not in self._listings:
            self.sections["claude-api-key"] = [claude(number) for number in self._entries]
            self.live = self.sections
            made = await self._answer(request)
            self._listings[request.path] = made.text or "", made.content_type
            self.sections["claude-api-key"] = []
        text, kind = self._listings[request.path]
        return web.Response(text=text, content_type=kind, headers=self.version)


async def serve(gateways: int, accounts: int) -> None:
    """Stand in for gateways until the process ends."""
    async with AsyncExitStack() as opened:
        places = [await opened.enter_async_context(standing(Listed(n, accounts))) for n in range(gateways)]
        print(json.dumps([place.address for place in places]), flush=True)
        await asyncio.Event().wait()


@contextmanager
def process(*command: str, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """Run a process until the context ends."""
    running = subprocess.Popen(
        [sys.executable, *command], env=clean_environment(variables), stdout=subprocess.PIPE, text=True
    )
    try:
        yield running
    finally:
        running.send_signal(signal.SIGTERM)
        running.communicate()


def cpu_ms(pid: int) -> float:
    """Return the processor time of all threads of a process so far, in milliseconds."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e6


def megabytes(pid: int) -> str:
    """Return the memory of a process now and at its peak."""
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    now = next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))
    return f"{now / 1024:.0f} MB now, {usage_of(pid).peak_megabytes:.0f} MB at most"


def ask(address: str, path: str, body: Any = None, method: str = "") -> Any:
    """Ask a service."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"X-Management-Key": _KEY, "Content-Type": "application/json"}
    request = Request(f"{address}{own_root()}/{path}", data, headers, method=method or ("POST" if data else "GET"))  # noqa: S310
    try:
        with urlopen(request, timeout=300) as answer:  # noqa: S310 - loopback
            return json.loads(answer.read())
    except HTTPError as error:
        raise RuntimeError(error.read().decode()) from None


def until_answered(address: str, path: str) -> None:
    """Wait until a service answers."""
    while True:
        with suppress(URLError, ConnectionError):
            ask(address, path)
            return
        Event().wait(0.2)


def worker_command(console: Path, folder: Path) -> tuple[str, ...]:
    """Make the data folder of a worker with the keys of a console's, and return the arguments that start it."""
    folder.mkdir(mode=0o700)
    for name in ("secret.key", "fleet.key"):
        shutil.copy(console / name, folder / name)
    return "-m", "extension", "worker", "--fleet", "--data-dir", str(folder)


def inspect(address: str, processes: dict[str, int], accounts: int, seconds: float, *, fleet: bool) -> None:
    """Have all accounts checked, for so many seconds at most, and print rate, processor time and memory."""
    before, began = sum(map(cpu_ms, processes.values())), time.monotonic()
    if fleet:
        path = f"fleet/runs?run={ask(address, 'fleet/runs', {'settings': RUN})['run']['id']}"
    else:
        ask(address, "inspections", RUN)
        path = "inspections"
    while (run := ask(address, path)["runs"][0])["state"] not in ENDED and time.monotonic() < began + seconds:
        Event().wait(1)
    spent, wall = sum(map(cpu_ms, processes.values())) - before, time.monotonic() - began
    print(f"{run['state']}: {run['done']} of {accounts} accounts, {run['done'] / wall:.0f} accounts/s")
    if refused := Counter(part["code"] for part in run.get("parts", ()) if part["state"] == "refused"):
        print(f"refused: {dict(refused)}")
    print(f"processor time {spent / max(1, run['done']):.2f} ms an account (bar 3)")
    for name, pid in processes.items():
        print(f"{name}: {cpu_ms(pid) / 1000:.1f} s in all, {megabytes(pid)} (bar 500)", flush=True)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("inspect", "alone", "serve"))
    for name, default in {"gateways": 10, "accounts": 500, "workers": 4, "minutes": 12}.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--postgresql", action="store_true", help="for `alone`; a fleet has it anyway")
    options = parser.parse_args()
    if options.what == "serve":
        asyncio.run(serve(options.gateways, options.accounts))
        return
    with ExitStack() as opened:
        measure(options, opened, Path(opened.enter_context(tempfile.TemporaryDirectory())))


def measure(options: argparse.Namespace, opened: ExitStack, path: Path) -> None:
    """Start everything, and print the figures."""
    listen, is_fleet = f"127.0.0.1:{free_port()}", options.what != "alone"
    address, gateways = f"http://{listen}", options.gateways if is_fleet else 1

    def start(*command: str) -> subprocess.Popen[str]:
        return opened.enter_context(process("-m", *command, **variables))

    variables = {"POOLKEEPER_MANAGEMENT_KEY": _KEY, "POOLKEEPER_LOG_LEVEL": "warning"}
    sizes = "--gateways", str(gateways), "--accounts", str(options.accounts)
    urls = json.loads((start("tests.soak.fleet_size", "serve", *sizes).stdout or sys.stdin).readline())
    place = ["--gateway", urls[0]]
    if is_fleet or options.postgresql:
        server = opened.enter_context(running_server())
        variables["POOLKEEPER_DATABASE_URL"] = server.address(server.create())
    if is_fleet:
        place = ["--fleet"]
    serve_options = ["serve", *place, "--listen", listen, "--data-dir", str(path / "console")]
    console = start("extension", *serve_options)
    until_answered(address, "info/openapi")
    processes = {"console": console.pid}
    if is_fleet:
        for number, url in enumerate(urls):
            ask(address, "fleet/gateways", {"name": f"g{number}", "url": url, "key": _KEY, "labels": {}})
        for number in range(options.workers):
            command = worker_command(path / "console", path / f"worker-{number}")
            processes[f"worker {number + 1}"] = opened.enter_context(process(*command, **variables)).pid
        while len(ask(address, "fleet/workers")["workers"]) <= options.workers:
            Event().wait(1)
    inspect(address, processes, gateways * options.accounts, options.minutes * 60, fleet=is_fleet)


if __name__ == "__main__":
    main()
