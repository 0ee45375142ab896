"""Streams through a gateway of its own process: how many, how fast, how much memory, and what clients that left leave.

Run with ``python -m benchmarks.streams``. Upstream and clients live in this process, on loopback ports.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import aiohttp
from tests.inference.pools import CHAT, CLIENT, SETTINGS, compat
from tests.inference.providers import Providers, providers
from tests.management.serving import secured

from benchmarks.pool import running
from benchmarks.process import computing, resident

MANY = 200
EVENTS = 100
STALLED_SECONDS = 5
TIMES = 3
_KIB = 1024
_STREAMED = CHAT | {"stream": True, "stream_options": {"include_usage": True}}


class Streams:
    """Opens streams at a gateway, and prints what that costs."""

    def __init__(self, client: aiohttp.ClientSession, url: str, process: int, upstream: Providers) -> None:
        self._client = client
        self._url = f"{url}/v1/chat/completions"
        self._process = process
        self._upstream = upstream

    async def read(self) -> None:
        """Let all clients read as fast as they can; each must get every event it waits for."""
        self._upstream.filler = "x" * _KIB
        rates = []
        for _ in range(TIMES):
            began, computed, sent = time.perf_counter(), computing(self._process), self._upstream.sent
            outcomes = await asyncio.gather(*(self._whole() for _ in range(MANY)), return_exceptions=True)
            cut = sum(isinstance(outcome, BaseException) for outcome in outcomes)
            await self._all_closed()
            passed = self._upstream.sent - sent
            rates.append(passed / (time.perf_counter() - began))
            each = (computing(self._process) - computed) / passed * 1e6
            self._say(
                f"{MANY} streams, {EVENTS} events of 1 KiB read of each: {cut} cut, {passed} sent, {each:.0f} µs each"
            )
        self._say(f"median {median(rates):.0f} events/s")

    async def stall(self) -> None:
        """Let all clients read nothing while the upstream sends as fast as it can; then let all leave at once."""
        self._upstream.filler = "x" * 64 * _KIB
        waited = []
        for _ in range(TIMES):
            before = self._upstream.sent
            stalled = await asyncio.gather(*(self._open() for _ in range(MANY)))
            await asyncio.sleep(STALLED_SECONDS)
            self._say(f"{MANY} streams nobody reads, 64 KiB an event: {self._upstream.sent - before} events taken")
            began = time.perf_counter()
            for response in stalled:
                response.close()
            await self._all_closed()
            waited.append(time.perf_counter() - began)
            self._say("all clients left: 0 upstream streams open")
        self._say(f"median {median(waited):.2f} s from leaving until the last upstream stream was closed")

    async def _whole(self) -> None:
        response = await self._open()
        async with response:
            for _ in range(EVENTS):
                await response.content.readuntil(b"\n\n")

    async def _open(self) -> aiohttp.ClientResponse:
        response = await self._client.post(self._url, headers=CLIENT, json=_STREAMED)
        response.raise_for_status()
        return response

    async def _all_closed(self) -> None:
        while self._upstream.open:
            self._upstream.stopped.clear()
            await self._upstream.stopped.wait()

    def _say(self, text: str) -> None:
        sys.stdout.write(f"{text}; {resident(self._process):.0f} MiB resident\n")


async def main() -> None:
    """Run the two parts: clients that read, and clients that do not."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with providers() as upstream:
            upstream.step = asyncio.Semaphore(10**9)
            text = secured(folder, SETTINGS + "openai-compatibility:\n" + compat(upstream.url, "endless-1"))
            path = folder / "config.yaml"
            path.write_text(f"port: 0\n{text}")
            connector = aiohttp.TCPConnector(limit=0)
            async with (
                running(path) as (url, process),
                aiohttp.ClientSession(connector=connector, read_bufsize=_KIB) as client,
            ):
                sys.stdout.write(f"idle: {resident(process):.0f} MiB resident\n")
                streams = Streams(client, url, process, upstream)
                await streams.read()
                await streams.stall()


if __name__ == "__main__":
    asyncio.run(main())
