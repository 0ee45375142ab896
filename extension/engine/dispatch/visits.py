"""Visits in progress in this process: each claims its lease, renews it meanwhile, and gives it back at the end.

The work of a visit inherits the permission of its lease: once the lease is not certain, it sends no request. A visit
whose lease is lost is canceled. One that is asked to leave ends by itself, so that nothing is cut off.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Final

import structlog

from adapter.clock import Clock
from adapter.port.permission import PERMISSION
from extension.engine.dispatch.port import Visit
from extension.engine.dispatch.tenure import Tenure, Terms
from extension.store.database.database import Database
from extension.store.errors import LeaseExpired, StoreError

_CLOSING_SECONDS: Final = 5.0
"""A visit that was canceled and cannot store its end any more is left after this long."""
_ABANDONED_SECONDS: Final = 1.0
_LOG = structlog.get_logger("poolkeeper.dispatch")


class Visits:
    """The gateways that this process works on; `on_handed_over` is called with each that leaves in order."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        terms: Terms,
        visit: Visit,
        *,
        address: str = "",
        on_handed_over: Callable[[int], Awaitable[None]] | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._terms = terms
        self._visit = visit
        self._address = address
        self._on_handed_over = on_handed_over
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._tenures: dict[int, Tenure] = {}
        self._is_leaving = False

    @property
    def tenures(self) -> Mapping[int, Tenure]:
        """The leases of the gateways that are visited now."""
        return self._tenures

    def __len__(self) -> int:
        return len(self._tasks)

    async def pay(self, gateway: int) -> None:
        """Visit a gateway, or wait for the visit in progress; canceling the caller does not end the visit."""
        if self._is_leaving:
            return
        task = self._tasks.get(gateway)
        if task is None:
            task = self._tasks[gateway] = asyncio.create_task(self._pay(gateway))
        await asyncio.shield(task)

    async def leave(self) -> None:
        """Have every visit hand over, and wait for that; none begins any more."""
        self._is_leaving = True
        for tenure in self._tenures.values():
            tenure.leave()
        if self._tasks:
            await asyncio.wait(tuple(self._tasks.values()))

    async def abandon(self) -> None:
        """Cancel every visit, and leave what does not end at once."""
        tasks = tuple(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=_ABANDONED_SECONDS)

    async def _pay(self, gateway: int) -> None:
        try:
            while await self._is_cut_off(gateway):
                await self._clock.sleep(self._terms.beat)
        except Exception as error:  # noqa: BLE001 - the next visit may find its cause gone
            # Not quoted: an unforeseen error may hold a secret.
            _LOG.exception("visit-failed", gateway=gateway, error=type(error).__name__)
        finally:
            self._tasks.pop(gateway, None)

    async def _is_cut_off(self, gateway: int) -> bool:
        """Visit a gateway, and return whether the database went away meanwhile, so that the rest is to be done."""
        tenure = Tenure(self._database, self._clock, gateway, self._terms, self._address)
        try:
            if await self._is_claimed(tenure):
                self._tenures[gateway] = tenure
                await self._work(tenure)
                if tenure.leaving.is_set() and self._on_handed_over is not None:
                    await self._on_handed_over(gateway)
        except LeaseExpired:
            _LOG.warning("lease-lost", gateway=gateway)
        except StoreError as error:
            _LOG.warning("visit-cut-off", gateway=gateway, error=str(error))
            return not self._is_leaving
        finally:
            self._tenures.pop(gateway, None)
        return False

    async def _is_claimed(self, tenure: Tenure) -> bool:
        """Claim the lease, for as long as that of a process that is gone may last."""
        until = self._clock.monotonic() + self._terms.term + self._terms.beat
        while not await tenure.claim():
            if self._is_leaving or self._clock.monotonic() >= until:
                return False
            await self._clock.sleep(self._terms.beat / 2)
        return not self._is_leaving or await self._given_back(tenure)

    async def _given_back(self, tenure: Tenure) -> bool:
        await tenure.release()
        return False

    async def _work(self, tenure: Tenure) -> None:
        keeping = asyncio.create_task(tenure.keep())
        visiting = asyncio.create_task(self._permitted(tenure))
        try:
            await asyncio.wait({keeping, visiting}, return_when=asyncio.FIRST_COMPLETED)
            if not visiting.done():
                _LOG.warning("lease-lost", gateway=tenure.gateway)
        finally:
            visiting.cancel()
            await asyncio.wait({visiting}, timeout=_CLOSING_SECONDS)
            keeping.cancel()
            await asyncio.wait({keeping})
            with suppress(StoreError):
                await tenure.release()
        if visiting.done() and not visiting.cancelled():
            visiting.result()

    async def _permitted(self, tenure: Tenure) -> None:
        PERMISSION.set(lambda: tenure.is_certain)
        await self._visit(tenure.gateway, tenure)
