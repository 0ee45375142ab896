"""An inspection beside streams and readers of its service: its rate, and how long `/healthz` takes meanwhile."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles

import aiohttp

from adapter.clock import SystemClock
from adapter.contract.expectations import HEALTH
from tests.bench.crowd import crowd
from tests.bench.descriptors import raise_limit
from tests.bench.provider import providers_process
from tests.bench.table import table
from tests.soak.large_pool import INSTANT, LargePool, write_pool
from tests.system.client import Client
from tests.system.process import FRESH, serving

ACCOUNTS = 2_000
ROUNDS = 3
_HEALTH_EVERY_SECONDS = 0.05
_ENDED = {"finished", "stopped", "failed", "interrupted"}
CONTESTANTS = {
    "alone": (0, 0),
    "200 streams": (200, 0),
    "500 readers": (0, 500),
    "200 streams, 500 readers": (200, 500),
}


@dataclass
class Load:
    """Counts of what streams and readers saw, and seconds that `/healthz` took."""

    answers: Counter[str] = field(default_factory=Counter)
    health: list[float] = field(default_factory=list)


def report() -> str:
    """Measure in interleaved rounds and answer the tables."""
    raise_limit()
    seconds: dict[str, list[float]] = {name: [] for name in CONTESTANTS}
    loads: dict[str, Load] = {name: Load() for name in CONTESTANTS}
    with tempfile.TemporaryDirectory() as name:
        pool = write_pool(Path(name), ACCOUNTS, INSTANT)
        with providers_process(pool.providers_port), serving(pool.config, program=FRESH):
            asyncio.run(_run(pool))  # the first run creates the accounts
            for _ in range(ROUNDS):
                for title, (streams, readers) in CONTESTANTS.items():
                    seconds[title].append(asyncio.run(_loaded(pool, streams, readers, loads[title])))
    title = f"Inspection of {ACCOUNTS} keys whose providers answer at once, {ROUNDS} rounds; readers ask every 2 s"
    lines = [table(title, seconds, work=ACCOUNTS, unit="probes"), "  /healthz in ms, and answers of the readers"]
    for name, load in loads.items():
        cuts = quantiles(load.health, n=100)
        health = f"median {cuts[49] * 1000:6.1f}  p99 {cuts[98] * 1000:6.1f}  max {max(load.health) * 1000:6.1f}"
        lines.append(f"  {name:32} {health}  {dict(sorted(load.answers.items()))}")
    return "\n".join(lines)


async def _loaded(pool: LargePool, streams: int, readers: int, load: Load) -> float:
    with crowd(pool, streams, readers) as counts:
        watching = asyncio.create_task(_health(pool.gateway_port, load))
        try:
            took = await _run(pool)
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
    for status, count in counts.items():
        load.answers[status] += count
    return took


async def _run(pool: LargePool) -> float:
    """Inspect the pool, and answer the seconds from the request to the end as a stream tells it."""
    return await asyncio.to_thread(_watched, Client(pool.gateway_port, pool.management_key))


def _watched(client: Client) -> float:
    started = time.perf_counter()
    number = int(client.own("POST", "inspections", {"accountSource": "api_key"})["run"]["id"])
    for kind, data in client.stream(number):
        if kind == "run.state" and data["state"] in _ENDED:
            break
    return time.perf_counter() - started


async def _health(port: int, load: Load) -> None:
    clock = SystemClock()
    async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as client:
        while True:
            began = clock.monotonic()
            async with client.get(HEALTH) as answer:
                await answer.read()
            load.health.append(clock.monotonic() - began)
            await clock.sleep(_HEALTH_EVERY_SECONDS)
