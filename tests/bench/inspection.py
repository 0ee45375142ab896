"""An inspection through the embedded gateway beside a bare loop of the same HTTP client, on the same providers."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp
import uvloop
from gateway.internal.management.application import build_application
from gateway.internal.runtime import Runtime

from adapter.clock import SystemClock
from adapter.embedded import EmbeddedConnection
from adapter.secret import Redactor
from extension.engine.inspector import Inspector
from extension.inspection.settings import parse_settings
from extension.store.database import Database
from extension.store.datafolder import DataFolder
from extension.store.installation import installation_key
from tests.bench.table import table
from tests.soak.large_pool import LargePool, write_pool

ACCOUNTS = 1_000
ROUNDS = 5
WORKERS = 32
_BODY = {"model": "demo-model", "max_tokens": 1, "messages": [{"role": "user", "content": "hi"}]}


def report() -> str:
    """Measure in interleaved rounds and answer the table."""
    with tempfile.TemporaryDirectory() as name:
        pool = write_pool(Path(name), ACCOUNTS)
        with _provider(pool.providers_port):
            bare: list[float] = []
            whole: list[float] = []
            for number in range(ROUNDS):
                bare.append(uvloop.run(_bare(pool)))
                whole.append(uvloop.run(_inspection(pool, Path(name) / f"data-{number}")))
    title = f"Inspection of {ACCOUNTS} keys, {WORKERS} workers, {ROUNDS} rounds, providers in a process beside"
    return table(
        title, {"bare loop of the client": bare, "inspection, results stored": whole}, work=ACCOUNTS, unit="probes"
    )


@contextmanager
def _provider(port: int) -> Iterator[None]:
    command = [sys.executable, "-m", "tests.bench.provider", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            if process.stdout is None or not process.stdout.readline():
                raise RuntimeError(f"the providers did not start on port {port}")
            yield
        finally:
            process.terminate()


async def _bare(pool: LargePool) -> float:
    """Send the same requests with the same client and as many at once, and keep nothing."""
    pairs = iter(pool.keys.items())
    started = time.perf_counter()

    async def worker(session: aiohttp.ClientSession) -> None:
        for address, key in pairs:
            headers = {"x-api-key": key, "anthropic-version": "2023-06-01"}
            async with session.post(f"{address}/v1/messages", json=_BODY, headers=headers) as answer:
                await answer.read()

    async with (
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=WORKERS)) as session,
        asyncio.TaskGroup() as group,
    ):
        for _ in range(WORKERS):
            group.create_task(worker(session))
    return time.perf_counter() - started


async def _inspection(pool: LargePool, folder: Path) -> float:
    """Run one inspection as the service does, and answer the seconds from its start to its end."""
    runtime = Runtime(pool.config, environment={})
    await runtime.start()
    data = DataFolder.open(folder)
    try:
        connection = EmbeddedConnection(runtime, build_application(runtime))
        connection.bind(installation_key(data))
        database = await Database.open(data)
        try:
            inspector = Inspector(connection.gateway, database, SystemClock(), Redactor(()))
            await inspector.open()
            started = time.perf_counter()
            settings = parse_settings({"accountSource": "api_key", "workers": WORKERS, "retries": 0})
            run = await inspector.start(settings, "bench")
            seen = 0
            while (await inspector.run(run.id)).finished_at is None and await inspector.wait_for_events(seen):
                seen = max((event.seq for event in await inspector.events(seen)), default=seen)
            took = time.perf_counter() - started
            await inspector.close()
            return took
        finally:
            await database.close()
    finally:
        data.close()
        await runtime.stop()
