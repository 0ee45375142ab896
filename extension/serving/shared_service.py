"""Service on a shared database: one process leads, the others serve what is stored and take over.

Theory of operation: on standby the inspector reads, and the engine's writes are refused before they begin. With the
lease the process opens a second inspector that works; when the lease is lost, it is closed and the standby serves on.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from typing import Final

import structlog
from starlette.types import ASGIApp

from extension.api.auth.authenticator import Authenticator
from extension.engine.leadership import TRY_SECONDS, Leadership
from extension.serving.assembly import Assembly
from extension.serving.web.headers import Headers
from extension.store.database.database import Database, Transaction
from extension.store.errors import LeaseExpired, StoreError

_CLOSING_SECONDS: Final = 5.0
"""An engine that cannot store its end any more is left after this long."""

_log = structlog.get_logger("poolkeeper.serving")


def _standby(_: Transaction) -> None:
    raise LeaseExpired("Another process on this database leads. Repeat the request there, or when this one leads.")


@dataclass(frozen=True, slots=True)
class SharedService:
    """One of several processes on a database."""

    assembly: Assembly
    database: Database
    authenticator: Authenticator
    served: Headers
    leadership: Leadership

    async def open(self, opened: AsyncExitStack, *, schedules: bool) -> None:
        """Serve, as the leader if no other process leads, until `opened` closes."""
        standby = await self._application(opened, _standby)
        self.served.inside = standby
        leading = await self.leadership.claim()
        if not leading:
            _log.info("this process is on standby: another one on this database leads")
        settled = asyncio.Event()
        work = asyncio.create_task(self._work(standby, settled.set, leading=leading, schedules=schedules))
        opened.push_async_callback(self._close, work)
        waiting = asyncio.ensure_future(settled.wait())
        await asyncio.wait({work, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()

    async def _work(self, standby: ASGIApp, settled: Callable[[], None], *, leading: bool, schedules: bool) -> None:
        while True:
            try:
                if leading:
                    await self._lead(standby, settled, schedules=schedules)
                settled()
                await self.assembly.clock.sleep(TRY_SECONDS)
                leading = await self.leadership.claim()
            except StoreError as error:
                leading = False
                _log.warning("the database refuses", reason=str(error))
                settled()
                await self.assembly.clock.sleep(TRY_SECONDS)

    async def _lead(self, standby: ASGIApp, settled: Callable[[], None], *, schedules: bool) -> None:
        engine = AsyncExitStack()
        keeping = asyncio.create_task(self.leadership.keep())
        try:
            self.served.inside = await self._application(
                engine, self.leadership.require, leading=True, schedules=schedules
            )
            _log.info("this process leads: it inspects, collects and notifies")
            settled()
            await keeping
            _log.warning("another process leads now: this one is on standby")
        finally:
            self.served.inside = standby
            await _within(_CLOSING_SECONDS, engine.aclose)
            keeping.cancel()
            await asyncio.wait({keeping})

    async def _application(
        self,
        opened: AsyncExitStack,
        fence: Callable[[Transaction], None],
        *,
        leading: bool = False,
        schedules: bool = False,
    ) -> ASGIApp:
        inspector = await self.assembly.inspector(
            self.database, opened, schedules=schedules, fence=fence, standby=not leading
        )
        usage = await self.assembly.usage(self.database, opened, collect=leading and schedules)
        return self.assembly.application(inspector, usage, self.database, self.authenticator)

    async def _close(self, work: asyncio.Task[None]) -> None:
        work.cancel()
        await asyncio.wait({work})
        with suppress(StoreError):
            await self.leadership.release()


async def _within(seconds: float, close: Callable[[], Awaitable[object]]) -> None:
    """Close within a time; an error of the database is logged, for nothing can be stored any more."""
    try:
        async with asyncio.timeout(seconds):
            await close()
    except (StoreError, TimeoutError) as error:
        _log.warning("the engine ended without storing its end", reason=str(error) or type(error).__name__)
