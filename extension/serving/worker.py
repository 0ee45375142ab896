"""Worker: a process without an HTTP interface that visits gateways for the consoles on one database.

It ends in order at SIGTERM: visits hand over, and no run is interrupted. It ends by itself when a newer version has
migrated the database, so that workers can be replaced one by one.
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final

import structlog

from adapter.privacy.secret import Secret
from extension.engine.dispatch.inspector_visit import InspectorVisit, OpenedEngine
from extension.engine.dispatch.port import Visit
from extension.engine.dispatch.tenure import Tenure, Terms
from extension.serving.assembly import Assembly, ended
from extension.serving.errors import SettingInvalid
from extension.serving.shared_service import shared_dispatch
from extension.store.database.database import Database, Transaction
from extension.store.database.opening import server_storage
from extension.store.errors import DatabaseTooNew, StoreError
from extension.store.installation import require_key
from extension.store.pool import pools
from extension.store.schema.upgrade import newest_revision, stored_revision
from extension.store.workers import pool_sizes

_SCHEMA_SECONDS: Final = 5.0
"""Pause between two looks at the version of the database."""
_NAME: Final = "default"

_log = structlog.get_logger("poolkeeper.worker")


@dataclass(frozen=True, slots=True)
class WorkerTask:
    """Task of a worker: the visit it pays, and its gateways with the counts of their accounts."""

    visit: Visit
    gateways: Callable[[Transaction], Mapping[int, int]] = pool_sizes


async def single_gateway(assembly: Assembly, database: Database) -> WorkerTask:
    """Return the work on the one gateway that the assembly has a connection to."""
    gateway = await database.write(pools.ensure, _NAME, assembly.clock.now_ms())

    @asynccontextmanager
    async def opener(_: int, tenure: Tenure) -> AsyncIterator[OpenedEngine]:
        async with AsyncExitStack() as opened:
            inspector = await assembly.inspector(database, opened, schedules=True, fence=tenure.require)
            usage = await assembly.usage(database, opened, collect=True)
            # Records wait at the gateway for their collector alone, so a gateway that records has one at all times.
            yield OpenedEngine(inspector, lambda: usage.collector.status.recording is True)

    def size(transaction: Transaction) -> Mapping[int, int]:
        return {gateway: pool_sizes(transaction)[gateway]}

    return WorkerTask(InspectorVisit(database, assembly.clock, opener), size)


async def serve_as_worker(
    assembly: Assembly,
    work_on: Callable[[Assembly, Database], Awaitable[WorkerTask]] = single_gateway,
    terms: Terms | None = None,
    address: str = "",
) -> None:
    """Visit gateways until a signal.

    Raises:
        SettingInvalid: no shared database is named.
        StoreError: the database cannot be used, or a newer version has migrated it.
    """
    if not assembly.settings.database_url:
        raise SettingInvalid("A worker needs the database of its consoles: set POOLKEEPER_DATABASE_URL.")
    storage = server_storage(Secret(assembly.settings.database_url))
    async with AsyncExitStack() as opened:
        opened.push_async_callback(assembly.connection.close)
        database = await Database.open(assembly.folder, assembly.clock, storage)
        opened.push_async_callback(ended, asyncio.create_task(database.watch()))
        opened.push_async_callback(database.close)
        trying = asyncio.create_task(database.health.keep_trying(database.prove, assembly.clock))
        opened.push_async_callback(ended, trying)
        now = assembly.clock.now_ms()
        await database.write(lambda transaction: require_key(transaction, assembly.installation, now))
        work = await work_on(assembly, database)
        dispatch = await shared_dispatch(
            assembly, database, storage, gateways=work.gateways, address=address, terms=terms
        )
        _log.info("this worker is ready")
        serving = asyncio.create_task(dispatch.serve(work.visit))
        moved = asyncio.create_task(_schema_moved(assembly, database))
        asked = asyncio.create_task(_asked_to_end())
        try:
            await asyncio.wait({serving, moved, asked}, return_when=asyncio.FIRST_COMPLETED)
            _log.info("this worker ends: its gateways go to other workers")
        finally:
            for task in (serving, moved, asked):
                task.cancel()
            await asyncio.wait({serving, moved, asked})
        for task in (moved, serving):
            with suppress(asyncio.CancelledError):
                task.result()


async def _schema_moved(assembly: Assembly, database: Database) -> None:
    """Wait until the database is at another revision. Raises `DatabaseTooNew`."""
    while True:
        await assembly.clock.sleep(_SCHEMA_SECONDS)
        with suppress(StoreError):
            if await database.read(stored_revision) == newest_revision():
                continue
            break
    raise DatabaseTooNew("A newer version has migrated the database. Update this worker, and start it again.")


async def _asked_to_end() -> None:
    asked, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, asked.set)
    await asked.wait()
