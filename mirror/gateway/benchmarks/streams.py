"""Streams through a gateway of its own process: how many, how fast, and how much memory they take.

Run with ``python -m benchmarks.streams``. Upstream and clients live in this process, on loopback ports.
"""

import asyncio
import os
import socket
import sys
import tempfile
import time
from pathlib import Path

import aiohttp
from tests.inference.pools import CHAT, CLIENT, SETTINGS, compat
from tests.inference.providers import providers
from tests.management.serving import secured

MANY = 200
EVENTS = 100
_KIB = 1024
_STREAMED = CHAT | {"stream": True, "stream_options": {"include_usage": True}}


def resident(process: int) -> float:
    """Return the resident memory of a process in MiB."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / _KIB / _KIB


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


async def _up(client: aiohttp.ClientSession, url: str) -> None:
    while True:
        try:
            async with client.get(f"{url}/healthz"):
                return
        except aiohttp.ClientError:
            await asyncio.sleep(0.05)


async def _whole(client: aiohttp.ClientSession, url: str) -> int:
    """Read ``EVENTS`` events of one stream; return how many bytes they had."""
    async with client.post(f"{url}/v1/chat/completions", headers=CLIENT, json=_STREAMED) as response:
        response.raise_for_status()
        size = 0
        for _ in range(EVENTS):
            size += len(await response.content.readuntil(b"\n\n"))
        return size


async def _stalled(client: aiohttp.ClientSession, url: str) -> aiohttp.ClientResponse:
    return await client.post(f"{url}/v1/chat/completions", headers=CLIENT, json=_STREAMED)


async def measure(folder: Path) -> None:
    """Run the two parts: clients that read, and clients that do not."""
    async with providers() as upstream:
        upstream.step = asyncio.Semaphore(10**9)
        port = _free_port()
        text = secured(folder, SETTINGS + "openai-compatibility:\n" + compat(upstream.url, "endless-1"))
        (folder / "config.yaml").write_text(f"port: {port}\n{text}")
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "gateway", "--config", str(folder / "config.yaml")
        )
        url = f"http://127.0.0.1:{port}"
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=connector, read_bufsize=_KIB) as client:
            try:
                await _up(client, url)
                print(f"idle: {resident(process.pid):.0f} MiB")  # noqa: T201 - a benchmark prints
                upstream.filler = "x" * _KIB
                began = time.perf_counter()
                sizes = await asyncio.gather(*(_whole(client, url) for _ in range(MANY)))
                seconds = time.perf_counter() - began
                print(  # noqa: T201 - as above
                    f"{MANY} streams of {EVENTS} events: {seconds:.1f} s, {MANY * EVENTS / seconds:.0f} events/s, "
                    f"{sum(sizes) / _KIB / _KIB:.0f} MiB passed, {resident(process.pid):.0f} MiB resident"
                )
                upstream.filler = "x" * 64 * _KIB
                for _ in range(3):
                    before = upstream.sent
                    stalled = await asyncio.gather(*(_stalled(client, url) for _ in range(MANY)))
                    await asyncio.sleep(5)
                    print(  # noqa: T201 - as above
                        f"{MANY} streams nobody reads, 64 KiB an event as fast as it goes: "
                        f"{resident(process.pid):.0f} MiB resident, {upstream.sent - before} events taken"
                    )
                    for response in stalled:
                        response.close()
                    while upstream.open:
                        upstream.stopped.clear()
                        await upstream.stopped.wait()
                    print(f"all left: {resident(process.pid):.0f} MiB resident, 0 upstream streams open")  # noqa: T201
            finally:
                process.terminate()
                await process.wait()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        asyncio.run(measure(Path(made)))
