"""Report of the benchmark of usage, on SQLite and on PostgreSQL. `POOLKEEPER_BENCH_EVENTS` sets the events (millions).

The events are made inside the database; the rate of ingestion is that of the service's own code on top of them.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from statistics import median, quantiles

from sqlalchemy import Connection

from adapter.clock import SystemClock
from adapter.fake.gateway import FakeGateway
from adapter.privacy.secret import Redactor, Secret
from extension.engine.pool.listing import PoolListing
from extension.engine.usage.analysis import UsageAnalysis
from extension.engine.usage.usage_writer import UsageWriter
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.database.postgresql import PostgreSQLStorage
from extension.store.database.sqlite import SQLiteStorage
from extension.store.database.storage import Storage
from extension.store.usage.ingest import store
from extension.store.usage.names import Name
from extension.usage.cost import NoPrices
from extension.usage.fingerprints import UsageFingerprints
from extension.usage.histogram import bucket_of
from tests.bench.usage.generated import fill
from tests.bench.usage.questions import questions
from tests.extension.store.usage.samples import events as drawn
from tests.postgresql.server import running_server

MILLIONS = float(os.environ.get("POOLKEEPER_BENCH_EVENTS", "5"))
DATABASES = os.environ.get("POOLKEEPER_BENCH_DATABASES", "sqlite postgresql").split()
_ASKED = 20
_INGESTED = 20_000
_BATCH = 500
_SIZES = {
    "postgresql": "SELECT pg_total_relation_size('{table}')",
    "sqlite": "SELECT sum(pgsize) FROM dbstat "
    "WHERE name IN (SELECT name FROM sqlite_master WHERE tbl_name = '{table}')",
}


def report() -> str:
    """Measure both databases and answer the tables."""
    events = round(MILLIONS * 1_000_000)
    with tempfile.TemporaryDirectory() as name:
        return "\n\n".join(asyncio.run(_measured(kind, Path(name) / kind, events)) for kind in DATABASES)


@contextmanager
def _storage(kind: str, folder: DataFolder) -> Iterator[Storage]:
    if kind == "sqlite":
        yield SQLiteStorage(folder)
        return
    with running_server(durable=True) as server:
        yield PostgreSQLStorage(Secret(server.address(server.create())))


async def _measured(kind: str, path: Path, events: int) -> str:
    with DataFolder.open(path) as folder, _storage(kind, folder) as storage:
        await (await Database.open(folder, storage=storage)).close()
        began = time.monotonic()
        await asyncio.to_thread(_fill, storage, events)
        lines = [f"{kind}: {events:,} events, made inside the database in {time.monotonic() - began:.0f} s"]
        database = await Database.open(folder, storage=storage)
        sizes = await database.read(partial(_sizes, kind=kind))
        lines += [f"  {table:18} {size / events:7.1f} bytes an event" for table, size in sizes.items()]
        lines.append(
            f"  {'ingestion':18} {await _ingestion(database):7.0f} events/s of processor time, {_BATCH} a commit"
        )
        lines.append(f"  {'':32} {'p50 ms':>8} {'p95 ms':>8}")
        analysis = await _analysis(database)
        for name, ask in questions(analysis).items():
            chance, taken = Random(1), []
            for _ in range(_ASKED):
                started = time.perf_counter()
                await ask(chance)
                taken.append((time.perf_counter() - started) * 1000)
            lines.append(f"  {name:32} {median(taken):8.1f} {quantiles(taken, n=20)[-1]:8.1f}")
        await database.close()
        return "\n".join(lines)


def _fill(storage: Storage, events: int) -> None:
    engine = storage.migrating_engine()
    with engine.begin() as connection:
        if connection.dialect.name == "sqlite":
            raw = connection.connection.driver_connection
            assert raw is not None
            raw.create_function("bucket_of", 1, bucket_of, deterministic=True)
        else:
            connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
        fill(connection, events)
    with engine.connect() as connection:
        connection.exec_driver_sql("ANALYZE")
        connection.commit()
    engine.dispose()


def _sizes(transaction: Connection, kind: str) -> dict[str, int]:
    tables = ("usage_events", "usage_hours", "usage_latencies", "usage_costs")
    return {
        table: int(transaction.exec_driver_sql(_SIZES[kind].format(table=table)).scalar_one() or 0) for table in tables
    }


async def _ingestion(database: Database) -> float:
    found = drawn(_INGESTED, days=0.5, seed=2)
    found.sort(key=lambda event: event.at)
    names: dict[Name, int] = {}
    began = time.process_time()
    for start in range(0, _INGESTED, _BATCH):
        batch = [(event, None) for event in found[start : start + _BATCH]]
        written = await database.write(partial(store, pool_id=1, priced=batch, known=names))
        names = dict(written.names)
    return _INGESTED / (time.process_time() - began)


async def _analysis(database: Database) -> UsageAnalysis:
    clock, redactor = SystemClock(), Redactor()
    listing = PoolListing(FakeGateway("", clock=clock), database, clock, redactor, "default")
    await listing.open()
    fingerprints = UsageFingerprints(b"k" * 32)
    writer = UsageWriter(database, clock, redactor, listing=listing, fingerprints=fingerprints, costs=NoPrices())
    return UsageAnalysis(database, listing, writer)
