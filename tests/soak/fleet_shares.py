"""Figures of a worker that is added, and of a gateway that is away: `python -m tests.soak.fleet_shares`.

Of twenty gateways most rest while a worker is added. One stand-in is a process of its own, which is stopped (SIGSTOP).
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Final

from adapter.port import GatewayError
from extension.engine.dispatch.port import CommandPending
from extension.engine.dispatch.tenure import Terms
from tests.postgresql.server import running_server
from tests.soak.fleet_size import process
from tests.system.fleet import Fleet, fleet

_GATEWAYS: Final = 20
_BUSY: Final = 4
_ACCOUNTS: Final = 100
_BAR: Final = 30.0
_OWNED: Final = "SELECT address, name FROM leases WHERE expires_at > extract(epoch FROM clock_timestamp()) * 1000"


async def owned(running: Fleet) -> Counter[str]:
    """Return how many gateways each worker has now."""
    return Counter(str(address) for address, _ in await running.rows(_OWNED))


async def started(running: Fleet, place: int) -> None:
    """Start a run; an owner that waits for its gateway answers later."""
    with suppress(CommandPending, GatewayError):
        await running.start(place, workers=4)


async def finished(running: Fleet, places: range) -> list[float]:
    """Have gateways inspected, and return the seconds each took, those of the first to the last."""
    began = time.monotonic()
    (row,) = await running.rows("SELECT coalesce(max(id), 0) FROM runs")
    await asyncio.gather(*(started(running, place) for place in places))
    seconds: dict[int, float] = {}
    async with asyncio.timeout(300):
        while len(seconds) < len(places):
            query = f"SELECT pool_id FROM runs WHERE id > {row[0]} AND state = 'finished'"  # noqa: S608 - a number
            for (pool,) in await running.rows(query):
                if running.numbers.index(int(str(pool))) in places:
                    seconds.setdefault(int(str(pool)), time.monotonic() - began)
            await asyncio.sleep(0.2)
    return sorted(seconds.values())


async def added(running: Fleet) -> None:
    """Add a worker while a few gateways are busy, then start runs at those that rest; print which worker has them."""
    for gateway in running.gateways:
        gateway.free = 0
    await asyncio.gather(*(started(running, place) for place in range(_BUSY)))
    print(f"before: {dict(await owned(running))}", flush=True)
    worker, began, most = await running.worker(), time.monotonic(), 0
    starting = asyncio.gather(*(started(running, place) for place in range(_BUSY, _GATEWAYS - 1)))
    while (now := time.monotonic() - began) < _BAR:
        if (count := (await owned(running))[worker.host]) > most:
            most = count
            print(f"{now:.1f} s: the new worker has {count} gateways of {dict(await owned(running))}", flush=True)
        await asyncio.sleep(0.2)
    for gateway in running.gateways:
        gateway.gate.set()
    await starting
    await running.until("SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM runs WHERE finished_at IS NULL)", 300)


async def measured(address: str, path: Path, place: str, pid: int) -> None:
    """Print the figures."""
    async with fleet(
        path, address, gateways=_GATEWAYS, accounts=_ACCOUNTS, terms=Terms(answer=30.0), seconds=0.05
    ) as running:
        running.gateways[-1].url = place
        await running.worker()
        await running.worker()
        await added(running)
        others = range(_BUSY, _GATEWAYS - 1)
        seconds = await finished(running, others)
        print(f"all answer: {len(seconds)} gateways after {seconds[0]:.1f} to {seconds[-1]:.1f} s", flush=True)
        os.kill(pid, signal.SIGSTOP)
        waiting = asyncio.create_task(started(running, _GATEWAYS - 1))
        seconds = await finished(running, others)
        print(f"one is away: {len(seconds)} gateways after {seconds[0]:.1f} to {seconds[-1]:.1f} s", flush=True)
        os.kill(pid, signal.SIGCONT)
        await waiting


def main() -> None:
    """Print the figures."""
    alone = process("-m", "tests.soak.fleet_size", "serve", "--gateways", "1", "--accounts", str(_ACCOUNTS))
    with running_server() as server, tempfile.TemporaryDirectory() as path, alone as gateway:
        (place,) = json.loads((gateway.stdout or sys.stdin).readline())
        asyncio.run(measured(server.address(server.create()), Path(path), place, gateway.pid))


if __name__ == "__main__":
    main()
