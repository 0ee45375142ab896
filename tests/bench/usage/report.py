"""Processor time of the console's queries on SQLite and on PostgreSQL, over a million events or as many as wanted.

The events are made inside the database. Processor time is that of the service and of the database server, which a busy
machine changes little. The bars are a p95 below 300 ms with a million events and below 1.5 s with five million.
"""

from __future__ import annotations

import asyncio
import gc
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median, quantiles

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
from extension.usage.histogram import bucket_of
from tests.bench.usage.generated import fill
from tests.bench.usage.processor_time import processor_ms, server_processes
from tests.bench.usage.questions import questions
from tests.postgresql.server import running_server

MILLIONS = 1.0
DATABASES = os.environ.get("POOLKEEPER_BENCH_DATABASES", "sqlite postgresql").split()
ROUNDS = int(os.environ.get("POOLKEEPER_BENCH_ROUNDS", "20"))


def report(millions: float = MILLIONS) -> str:
    """Measure both databases and answer the table side by side."""
    events = round(millions * 1_000_000)
    with tempfile.TemporaryDirectory() as name:
        figures = {kind: asyncio.run(_measured(kind, Path(name) / kind, events)) for kind in DATABASES}
    head = "".join(f"{f'{kind}: p50':>20}{'p95 CPU ms':>12}" for kind in figures)
    lines = [f"{f'{events:,} events':36}{head}"]
    for query in next(iter(figures.values())):
        taken = (measured[query] for measured in figures.values())
        lines.append(
            f"  {query:34}" + "".join(f"{median(each):20.1f}{quantiles(each, n=20)[-1]:12.1f}" for each in taken)
        )
    return "\n".join(lines)


@contextmanager
def _storage(kind: str, folder: DataFolder) -> Iterator[Storage]:
    if kind == "sqlite":
        yield SQLiteStorage(folder)
        return
    with running_server(durable=True) as server:
        yield PostgreSQLStorage(Secret(server.address(server.create())))


async def _measured(kind: str, path: Path, events: int) -> dict[str, list[float]]:
    """Return the processor milliseconds of each query."""
    with DataFolder.open(path) as folder, _storage(kind, folder) as storage:
        await (await Database.open(folder, storage=storage)).close()
        await asyncio.to_thread(_fill, storage, events)
        database = await Database.open(folder, storage=storage)
        clock = SystemClock()
        service = UsageService(FakeGateway("", clock=clock), database, clock, Redactor(), installation_key=b"k" * 32)
        await service.open(collect=False)
        gc.freeze()  # as the service does with what it has imported
        taken: dict[str, list[float]] = {}
        for query, ask in questions(service.analysis, service.series).items():
            chance = Random(1)
            await ask(Random(0))
            servers = () if kind == "sqlite" else await database.read(server_processes)
            for _ in range(ROUNDS):
                began = processor_ms(servers)
                await ask(chance)
                taken.setdefault(query, []).append(processor_ms(servers) - began)
        await database.close()
        return taken


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
    # As autovacuum does: an index alone answers for pages that PostgreSQL knows to be settled.
    statement = "VACUUM ANALYZE" if engine.dialect.name == "postgresql" else "ANALYZE"
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(statement)
    engine.dispose()
