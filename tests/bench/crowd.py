"""Streams and readers of a service in a process of their own: `python -m tests.bench.crowd PORT STREAMS READERS`.

It reads the management key from its first line of input, prints a line once all streams are open, and at the end of
its input the number of answers by status, and of the pieces that the streams got, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import aiohttp
import uvloop

from adapter.clock import SystemClock
from tests.bench.descriptors import raise_limit
from tests.soak.large_pool import LargePool
from tests.system.client import path_of

READ_EVERY_SECONDS = 2.0
READ = ("inspections", "inspections/results?run=1&limit=100", "pool?source=api_key&view=slim&limit=200")
"""Paths that readers ask for in turns, as pages do."""


@contextmanager
def crowd(pool: LargePool, streams: int, readers: int) -> Iterator[Counter[str]]:
    """Keep streams open and readers asking around the block; the counts are complete after it."""
    counts: Counter[str] = Counter()
    if not streams and not readers:
        yield counts
        return
    command = [sys.executable, "-m", "tests.bench.crowd", str(pool.gateway_port), str(streams), str(readers)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the crowd has no pipes")
        try:
            process.stdin.write(f"{pool.management_key}\n")
            process.stdin.flush()
            if not process.stdout.readline():
                raise RuntimeError("the crowd did not start")
            yield counts
            process.stdin.close()
            counts.update(json.loads(process.stdout.readline()))
        finally:
            process.kill()


async def _crowd(port: int, streams: int, readers: int) -> None:
    headers = {"X-Management-Key": (await asyncio.to_thread(sys.stdin.readline)).strip()}
    counts: Counter[str] = Counter()
    async with aiohttp.ClientSession(
        f"http://127.0.0.1:{port}",
        headers=headers,
        connector=aiohttp.TCPConnector(limit=0),
        timeout=aiohttp.ClientTimeout(total=None),
    ) as client:
        opened = [asyncio.Event() for _ in range(streams)]
        tasks = [asyncio.create_task(_stream(client, counts, event)) for event in opened]
        await asyncio.gather(*(event.wait() for event in opened))
        tasks += [asyncio.create_task(_reader(client, counts, number, readers)) for number in range(readers)]
        await SystemClock().sleep(READ_EVERY_SECONDS if readers else 0.0)
        print("open", flush=True)
        await asyncio.to_thread(sys.stdin.read)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    print(json.dumps(counts), flush=True)


async def _stream(client: aiohttp.ClientSession, counts: Counter[str], opened: asyncio.Event) -> None:
    """Follow the events from the end of the log on."""
    path = path_of("inspections/events", after=2**53 - 1)
    async with client.get(path, headers={"Accept": "text/event-stream"}) as answer:
        opened.set()
        async for _ in answer.content.iter_any():
            counts["pieces"] += 1


async def _reader(client: aiohttp.ClientSession, counts: Counter[str], number: int, readers: int) -> None:
    clock = SystemClock()
    await clock.sleep(READ_EVERY_SECONDS * number / readers)
    turn = number
    while True:
        began = clock.monotonic()
        name, _, query = READ[turn % len(READ)].partition("?")
        with suppress(aiohttp.ClientError):
            async with client.get(f"{path_of(name)}?{query}") as answer:
                await answer.read()
                counts[str(answer.status)] += 1
        turn += 1
        await clock.sleep(READ_EVERY_SECONDS - (clock.monotonic() - began))


if __name__ == "__main__":
    raise_limit()
    uvloop.run(_crowd(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
