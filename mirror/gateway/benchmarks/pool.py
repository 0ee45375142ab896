"""A pool of ten thousand keys and five hundred providers: starting, listing, and changing one or five hundred of them.

Run with ``python -m benchmarks.pool``. The gateway is a process of its own; measured is what a client waits for.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import aiohttp

from benchmarks.streams import resident

KEYS, PROVIDERS, BATCH = 10_000, 500, 500
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


class Client:
    """Asks a gateway, and prints how long each answer took."""

    def __init__(self, session: aiohttp.ClientSession, url: str) -> None:
        self._session = session
        self._url = f"{url}/v0/management/"

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        """Send a request and return the JSON of its answer."""
        headers = {"Authorization": f"Bearer {_SECRET}"}
        async with self._session.request(method, self._url + path, json=body, headers=headers) as response:
            response.raise_for_status()
            return await response.json()


async def _timed(what: str, work: Callable[[], Awaitable[Any]], times: int = 3) -> Any:
    result: Any = None
    took = []
    for _ in range(times):
        began = time.perf_counter()
        result = await work()
        took.append(time.perf_counter() - began)
    sys.stdout.write(f"{what:<58}{sorted(took)[len(took) // 2]:8.3f} s\n")
    return result


async def _measure(client: Client, process: int) -> None:
    files: Any = await _timed("GET auth-files", lambda: client.ask("GET", "auth-files"))
    section: Any = await _timed("GET claude-api-key", lambda: client.ask("GET", "claude-api-key"))
    name = files["files"][KEYS // 2]["id"]
    states = iter([True, False, True])

    async def one() -> None:
        await client.ask("PATCH", "auth-files/status", {"name": name, "disabled": next(states)})

    await _timed("PATCH auth-files/status of one key", one)
    selected = {"index": KEYS // 3, "value": {"prefix": "team"}}
    await _timed("PATCH claude-api-key of one entry", lambda: client.ask("PATCH", "claude-api-key", selected), 1)
    for number, entry in enumerate(section["claude-api-key"]):
        if number % (KEYS // BATCH) == 0:
            entry["excluded-models"] = ["*"]
    entries = section["claude-api-key"]
    await _timed(f"PUT claude-api-key with {BATCH} changed", lambda: client.ask("PUT", "claude-api-key", entries), 1)
    fewer = [entry for number, entry in enumerate(entries) if number % (KEYS // BATCH)]
    await _timed(f"PUT claude-api-key without {BATCH}", lambda: client.ask("PUT", "claude-api-key", fewer), 1)
    backwards = fewer[::-1]
    await _timed("PUT claude-api-key in reverse", lambda: client.ask("PUT", "claude-api-key", backwards), 1)
    sys.stdout.write(f"resident memory {resident(process):.0f} MiB\n")


async def main() -> None:
    """Start a gateway, measure, and stop it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "config.yaml"
        path.write_text(configuration(folder))
        began = time.perf_counter()
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "gateway", "--config", str(path)),
            env={"MANAGEMENT_PASSWORD": _SECRET, "PYTHONPATH": "src"},
            stderr=asyncio.subprocess.PIPE,
        )
        assert process.stderr is not None  # noqa: S101 - it is a pipe
        line = (await process.stderr.readline()).decode()
        sys.stdout.write(f"{'start until it listens':<58}{time.perf_counter() - began:8.3f} s\n")
        url = "http" + line.rsplit("http", 1)[1].strip()
        try:
            async with aiohttp.ClientSession() as session:
                await _measure(Client(session, url), process.pid)
        finally:
            process.terminate()
            await process.wait()


if __name__ == "__main__":
    asyncio.run(main())
