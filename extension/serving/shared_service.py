"""Service on a shared database: every process serves what is stored, and one of them works on the gateway.

Theory of operation: the process that visits the gateway serves with the engine of its visit, the others with one that
only reads. Commands reach the one that works as rows, whichever process is asked.
"""

import asyncio
import os
import platform
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog
from starlette.types import ASGIApp

from extension.api.auth.authenticator import Authenticator
from extension.engine.dispatch.inspector_visit import InspectorVisit, OpenedEngine
from extension.engine.dispatch.port import Dispatch
from extension.engine.dispatch.tenure import Tenure, Terms
from extension.serving.assembly import Assembly, ended
from extension.serving.release import service_version
from extension.serving.web.headers import Headers
from extension.store.database.database import Database, Transaction
from extension.store.errors import DriverMissing
from extension.store.workers import pool_sizes

if TYPE_CHECKING:
    from extension.engine.dispatch.postgresql import PostgreSQLDispatch
    from extension.store.database.postgresql import PostgreSQLStorage

_log = structlog.get_logger("poolkeeper.serving")


async def shared_dispatch(
    assembly: Assembly,
    database: Database,
    storage: "PostgreSQLStorage",
    *,
    gateways: Callable[[Transaction], Mapping[int, int]] = pool_sizes,
    address: str = "",
    terms: Terms | None = None,
) -> "PostgreSQLDispatch":
    """Return the open dispatch among the processes on a database, or raise `DriverMissing` or another `StoreError`."""
    try:
        from extension.engine.dispatch.postgresql import Identity, PostgreSQLDispatch
    except ImportError:
        raise DriverMissing(
            "The job queue is not installed. Install it with: pip install 'poolkeeper[fleet]'"
        ) from None
    dispatch = PostgreSQLDispatch(
        database,
        assembly.clock,
        assembly.redactor,
        storage.conninfo(),
        gateways=gateways,
        identity=Identity(f"{platform.node()}:{os.getpid()}", service_version(), address),
        terms=terms,
    )
    await dispatch.open()
    return dispatch


@dataclass(frozen=True, slots=True)
class SharedService:
    """One of several processes on a database with one gateway."""

    assembly: Assembly
    database: Database
    storage: "PostgreSQLStorage"
    authenticator: Authenticator
    served: Headers
    address: str

    async def open(self, opened: AsyncExitStack, *, schedules: bool) -> None:
        """Serve, and work on the gateway whenever no other process does, until `opened` closes."""
        inspector = await self.assembly.inspector(self.database, opened, schedules=False, standby=True)
        usage = await self.assembly.usage(self.database, opened, collect=False)
        gateway = inspector.listing.pool_id

        def size(transaction: Transaction) -> Mapping[int, int]:
            return {gateway: pool_sizes(transaction)[gateway]}

        dispatch = await shared_dispatch(
            self.assembly, self.database, self.storage, gateways=size, address=self.address
        )
        reading = self.assembly.application(inspector, usage, self.database, self.authenticator, dispatch)
        self.served.inside = reading

        @asynccontextmanager
        async def work(_: int, tenure: Tenure) -> AsyncIterator[OpenedEngine]:
            async with self._working(tenure, dispatch, reading, schedules=schedules) as at_work:
                yield at_work

        visit = InspectorVisit(self.database, self.assembly.clock, work)
        opened.push_async_callback(ended, asyncio.create_task(dispatch.serve(visit)))

    @asynccontextmanager
    async def _working(
        self, tenure: Tenure, dispatch: Dispatch, reading: ASGIApp, *, schedules: bool
    ) -> AsyncIterator[OpenedEngine]:
        async with AsyncExitStack() as engine:
            inspector = await self.assembly.inspector(self.database, engine, schedules=schedules, fence=tenure.require)
            usage = await self.assembly.usage(self.database, engine, collect=schedules)
            self.served.inside = self.assembly.application(
                inspector, usage, self.database, self.authenticator, dispatch
            )
            engine.callback(setattr, self.served, "inside", reading)
            _log.info("this process works on the gateway: it inspects, collects and notifies")
            yield OpenedEngine(inspector, lambda: True)
        _log.info("this process has handed the gateway over")
