"""A pool of ten thousand keys and five hundred providers: starting, listing, and changing one or five hundred of them.

Run with ``python -m benchmarks.pool``. The gateway is a process of its own; measured is what a client waits for, and
what the gateway computes meanwhile, which a busy machine changes less. Beside them stands what a CLIProxyAPI 7.2.140
took for the same on two shared cores.
"""

import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any

import aiohttp

from benchmarks.process import computing, resident

KEYS, PROVIDERS, BATCH, TIMES = 10_000, 500, 500, 5
_SECRET = "mgmt-secret"  # noqa: S105 - of a gateway that lives for this measurement
_BASE = "http://127.0.0.1:9911"


def configuration(folder: Path) -> str:
    """Return a configuration in which every entry has a comment."""
    keys = "".join(f'  - api-key: "sk-key-{at:05d}" # {at}\n    base-url: "{_BASE}"\n' for at in range(KEYS))
    providers = "".join(
        f"  - name: p{at}\n    base-url: {_BASE}/v1\n    api-key-entries:\n      - api-key: sk-p-{at}\n"
        for at in range(PROVIDERS)
    )
    return (
        f"host: 127.0.0.1\nport: 0\nauth-dir: {folder}/auths\nclaude-api-key:\n{keys}openai-compatibility:\n{providers}"
    )


class Gateway:
    """A running gateway, and how long it takes for what it is asked."""

    def __init__(self, session: aiohttp.ClientSession, url: str, process: int) -> None:
        self._session = session
        self._url = f"{url}/v0/management/"
        self.process = process

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        """Send a request and return the JSON of its answer."""
        headers = {"Authorization": f"Bearer {_SECRET}"}
        async with self._session.request(method, self._url + path, json=body, headers=headers) as response:
            response.raise_for_status()
            return json.loads(await response.read())

    async def timed(self, what: str, stock: str, work: Callable[[], Awaitable[Any]]) -> Any:
        """Do something several times and print the medians; return the last result."""
        result: Any = None
        waited, computed = [], []
        for _ in range(TIMES):
            began, before = time.perf_counter(), computing(self.process)
            result = await work()
            waited.append(time.perf_counter() - began)
            computed.append(computing(self.process) - before)
        report(what, median(waited), median(computed), stock)
        return result


def report(what: str, waited: float, computed: float, stock: str) -> None:
    """Print one line of the table."""
    sys.stdout.write(f"{what:<44}{waited:9.3f} s{computed:9.2f} s   {stock}\n")


@asynccontextmanager
async def running(path: Path) -> AsyncIterator[tuple[str, int]]:
    """Start a gateway and yield its address and process."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "gateway", "--config", str(path)),
        env={**os.environ, "MANAGEMENT_PASSWORD": _SECRET},
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None  # noqa: S101 - it is a pipe
    try:
        line = await process.stderr.readline()
        while line and b"listening" not in line:
            line = await process.stderr.readline()
        said = asyncio.create_task(process.stderr.read())  # what it says later must not fill the pipe
        yield "http" + line.decode().rsplit("http", 1)[1].strip(), process.pid
    finally:
        process.terminate()
        await process.wait()
    await said


async def _start(path: Path) -> None:
    waited, computed = [], []
    for _ in range(TIMES):
        began = time.perf_counter()
        async with running(path) as (_, process):
            waited.append(time.perf_counter() - began)
            computed.append(computing(process))
    report("start until it listens", median(waited), median(computed), "under 3 s")


async def _measure(gateway: Gateway) -> None:
    files: Any = await gateway.timed("GET auth-files", "keys are not listed", lambda: gateway.ask("GET", "auth-files"))
    section = "claude-api-key"
    held: Any = await gateway.timed(f"GET {section}", "0.03-0.13 s", lambda: gateway.ask("GET", section))
    compat = "openai-compatibility"
    await gateway.timed(f"GET {compat}", "0.014 s", lambda: gateway.ask("GET", compat))
    name = files["files"][KEYS // 2]["id"]
    states, prefixes = cycle([True, False]), cycle(["team", ""])

    async def switch() -> None:
        await gateway.ask("PATCH", "auth-files/status", {"name": name, "disabled": next(states)})

    async def patch() -> None:
        await gateway.ask("PATCH", section, {"index": KEYS // 3, "value": {"prefix": next(prefixes)}})

    await gateway.timed("PATCH auth-files/status of one key", "3.1-4.2 s", switch)
    await gateway.timed(f"PATCH {section} of one entry", "0.86 s", patch)
    await _rewrite(gateway, section, held[section])


async def _rewrite(gateway: Gateway, section: str, entries: list[dict[str, Any]]) -> None:
    """Write the whole list: with and without changes to five hundred of its entries, shorter, and in reverse."""
    chosen = range(0, KEYS, KEYS // BATCH)
    switched = [entry | ({"excluded-models": ["*"]} if at in chosen else {}) for at, entry in enumerate(entries)]
    fewer = [entry for at, entry in enumerate(entries) if at not in chosen]
    for what, other, stock in (
        (f"PUT with {BATCH} entries switched", switched, "0.69 s"),
        (f"PUT without {BATCH} entries, or with them again", fewer, "not measured"),
        ("PUT in reverse", entries[::-1], "not measured"),
    ):
        lists = cycle([other, entries])
        await gateway.timed(what, stock, lambda lists=lists: gateway.ask("PUT", section, next(lists)))  # type: ignore[misc]  # mypy cannot infer a default


async def main() -> None:
    """Print the table."""
    sys.stdout.write(f"{KEYS} keys, {PROVIDERS} providers, median of {TIMES}\n")
    sys.stdout.write(f"{'':<44}{'waited':>11}{'computed':>11}   CLIProxyAPI 7.2.140\n")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "config.yaml"
        path.write_text(configuration(folder))
        await _start(path)
        async with running(path) as (url, process), aiohttp.ClientSession() as session:
            started = resident(process)
            await _measure(Gateway(session, url, process))
            used = f"{started:.0f} MiB at the start, {resident(process):.0f} MiB after all this"
            sys.stdout.write(f"resident: {used}; CLIProxyAPI 600-660 MiB\n")


if __name__ == "__main__":
    asyncio.run(main())
