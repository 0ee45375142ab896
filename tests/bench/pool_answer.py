"""Answers of the pool: bytes as sent, and processor time to make them, the full view beside the slim one."""

from __future__ import annotations

import asyncio
import gzip
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import uvloop

from adapter.clock import SystemClock
from adapter.privacy.secret import Redactor
from extension.api.payloads.pool import PoolAnswer, SlimPoolAnswer
from extension.engine.inspector import Inspector
from extension.inspection.accounts.account import Selection, Source
from extension.inspection.settings import parse_settings
from extension.store import events
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.installation import installation_key
from extension.store.records import EventKind
from tests.bench.following import followed
from tests.bench.loops import embedded
from tests.bench.provider import providers_process
from tests.bench.table import table
from tests.soak.large_pool import INSTANT, LargePool, write_pool

ACCOUNTS = 10_000
ROUNDS = 5
PAGE = 200


def report() -> str:
    """Measure after one inspection and answer the table; seconds are of the processors."""
    with tempfile.TemporaryDirectory() as name:
        pool = write_pool(Path(name), ACCOUNTS, INSTANT)
        with providers_process(pool.providers_port), DataFolder.open(Path(name) / "data") as folder:
            return uvloop.run(_measured(pool, folder))


async def _measured(pool: LargePool, folder: DataFolder) -> str:
    async with embedded(pool) as connection:
        connection.bind(installation_key(folder))
        database = await Database.open(folder)
        inspector = Inspector(connection.gateway, database, SystemClock(), Redactor(()))
        await inspector.open()
        await inspector.runs.start(parse_settings({"accountSource": "api_key"}), "bench")
        await followed(inspector)
        contestants: dict[str, Callable[[], Awaitable[bytes]]] = {
            "full view": lambda: _full(inspector),
            "slim view after a change": lambda: _changed(inspector, database),
            "slim view, unchanged": lambda: _slim(inspector, ACCOUNTS),
            f"slim view, {PAGE} accounts": lambda: _slim(inspector, PAGE),
        }
        began, sizes = time.process_time(), {"slim view, first of all": len(await _slim(inspector, ACCOUNTS))}
        seconds: dict[str, list[float]] = {"slim view, first of all": [time.process_time() - began]}
        seconds |= {name: [] for name in contestants}
        for _ in range(ROUNDS):
            for name, answer in contestants.items():
                began = time.process_time()
                sizes[name] = len(await answer())
                seconds[name].append(time.process_time() - began)
        await inspector.close()
        await database.close()
    sent = ", ".join(f"{name} {size:,} bytes" for name, size in sizes.items())
    return f"{table(f'Pool of {ACCOUNTS} accounts, processor time', seconds, unit='answers')}\n  as sent: {sent}"


async def _full(inspector: Inspector) -> bytes:
    view = await inspector.listing.view(Selection(Source.API_KEY))
    return await asyncio.to_thread(lambda: PoolAnswer.encoded(view))


async def _slim(inspector: Inspector, limit: int) -> bytes:
    table = await inspector.overview.read(Selection(Source.API_KEY))
    return await asyncio.to_thread(
        lambda: gzip.compress(SlimPoolAnswer.encoded(table, list(table.rows[:limit]), len(table.rows), None), 1)
    )


async def _changed(inspector: Inspector, database: Database) -> bytes:
    def append(transaction: Transaction) -> None:
        events.append(transaction, SystemClock().now_ms(), EventKind.POOL, None, {})

    await database.write(append)
    return await _slim(inspector, ACCOUNTS)
