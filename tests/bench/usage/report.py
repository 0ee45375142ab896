"""Report of the benchmark of usage, on SQLite and on PostgreSQL, of a million events or of as many as wanted.

The events are made inside the database, and their indexes after them; the rate of ingestion is that of the service's
own code on top of them. Processor time is that of the service and of the database server, which a busy machine changes
little.
"""

from __future__ import annotations

import asyncio
import gc
import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from statistics import median, quantiles

from sqlalchemy import Connection

from adapter.clock import SystemClock
from adapter.fake.gateway import FakeGateway
from adapter.privacy.secret import Redactor, Secret
from extension.engine.usage.service import UsageService
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.database.postgresql import PostgreSQLStorage
from extension.store.database.sqlite import SQLiteStorage
from extension.store.database.storage import Storage
from extension.store.database.write_lock import allow_rest
from extension.store.schema.upgrade import ALL_TABLES
from extension.store.usage.ingest import store
from extension.store.usage.names import Name
from extension.usage.histogram import bucket_of
from tests.bench.usage.generated import fill
from tests.bench.usage.processor_time import processor_ms, server_processes
from tests.bench.usage.questions import Question, questions
from tests.extension.store.usage.samples import events as drawn
from tests.postgresql.server import running_server

MILLIONS = 1.0
DATABASES = os.environ.get("POOLKEEPER_BENCH_DATABASES", "sqlite postgresql").split()
_LARGE = ("events", "hours", "days", "latencies", "costs", "pairs", "ends")
_ASKED = 60
_INGESTED = 20_000
_BATCH = 500
_SIZES = {
    "postgresql": "SELECT pg_total_relation_size('{table}')",
    "sqlite": "SELECT sum(pgsize) FROM dbstat "
    "WHERE name IN (SELECT name FROM sqlite_master WHERE tbl_name = '{table}')",
}


def report(millions: float = MILLIONS) -> str:
    """Measure both databases and answer the tables side by side."""
    events = round(millions * 1_000_000)
    with tempfile.TemporaryDirectory() as name:
        found = {kind: asyncio.run(_measured(kind, Path(name) / kind, events)) for kind in DATABASES}
    lines = [f"{events:,} events" + " ".join(f"{kind:>45}" for kind in found)]
    rows: dict[str, None] = dict.fromkeys(row for measured in found.values() for row in measured)
    lines += [f"  {row:32}" + "".join(f"{measured.get(row, ''):>44}" for measured in found.values()) for row in rows]
    return "\n".join(lines)


@contextmanager
def _storage(kind: str, folder: DataFolder) -> Iterator[Storage]:
    if kind == "sqlite":
        yield SQLiteStorage(folder)
        return
    with running_server(durable=True) as server:
        yield PostgreSQLStorage(Secret(server.address(server.create())))


async def _measured(kind: str, path: Path, events: int) -> dict[str, str]:
    with DataFolder.open(path) as folder, _storage(kind, folder) as storage:
        await (await Database.open(folder, storage=storage)).close()
        began = time.monotonic()
        await asyncio.to_thread(_fill, storage, events)
        rows = {"made inside the database in": f"{time.monotonic() - began:.0f} s"}
        database = await Database.open(folder, storage=storage)
        asked = await _questions(database)
        sizes = await database.read(partial(_sizes, kind=kind))
        rows |= {table: f"{size / events:.1f} B an event" for table, size in sizes.items()}
        rows["all tables"] = f"{sum(sizes.values()) / events:.1f} B an event"
        rows["ingestion, 500 a commit"] = await _ingestion(database, kind)
        gc.freeze()  # as the service does with what it has imported
        rows["query"] = "".join(f"{title:>11}" for title in ("p50 ms", "p95 ms", "p50 CPU ms", "p95 CPU ms"))
        for name, ask in asked.items():
            rows[name] = await _asked(ask, await _servers(database, kind))
        await database.close()
        return rows


async def _asked(ask: Question, servers: Sequence[int]) -> str:
    chance = Random(1)
    taken: list[float] = []
    worked: list[float] = []
    for _ in range(_ASKED):
        started, busy = time.perf_counter(), processor_ms(servers)
        await ask(chance)
        taken.append((time.perf_counter() - started) * 1000)
        worked.append(processor_ms(servers) - busy)
    return "".join(
        f"{value:11.1f}" for found in (taken, worked) for value in (median(found), quantiles(found, n=20)[-1])
    )


async def _servers(database: Database, kind: str) -> Sequence[int]:
    return () if kind == "sqlite" else await database.read(server_processes)


def _fill(storage: Storage, events: int) -> None:
    engine = storage.migrating_engine()
    with engine.begin() as connection:
        if connection.dialect.name == "sqlite":
            raw = connection.connection.driver_connection
            assert raw is not None
            raw.create_function("bucket_of", 1, bucket_of, deterministic=True)
        else:
            allow_rest(connection)
        fill(connection, events)
    with engine.connect() as connection:
        connection.exec_driver_sql("ANALYZE")
        connection.commit()
    engine.dispose()


def _sizes(transaction: Connection, kind: str) -> dict[str, int]:
    tables = [name for name in ALL_TABLES if name.startswith("usage_") and name.endswith(_LARGE)]
    return {
        table: int(transaction.exec_driver_sql(_SIZES[kind].format(table=table)).scalar_one() or 0) for table in tables
    }


async def _ingestion(database: Database, kind: str) -> str:
    found = drawn(_INGESTED, days=0.5, seed=2)
    found.sort(key=lambda event: event.at)
    names: dict[Name, int] = {}
    servers = await _servers(database, kind)
    began, started = processor_ms(servers), time.monotonic()
    for start in range(0, _INGESTED, _BATCH):
        batch = [(event, None) for event in found[start : start + _BATCH]]
        written = await database.write(partial(store, pool_id=1, priced=batch, known=names))
        names = dict(written.names)
    elapsed = time.monotonic() - started
    return f"{_INGESTED / (processor_ms(servers) - began) * 1000:.0f} /s of CPU, {_INGESTED / elapsed:.0f} /s"


async def _questions(database: Database) -> Mapping[str, Question]:
    """Return the queries, after the service has summed up what each of them asks for."""
    clock = SystemClock()
    service = UsageService(FakeGateway("", clock=clock), database, clock, Redactor(), installation_key=b"k" * 32)
    await service.open(collect=False)
    found = questions(service.analysis, service.series)
    for ask in found.values():
        await ask(Random(0))
    await service.sum_days()
    return found
