"""Pool refresh: re-reads the pool when account ids have changed during a run; concurrent callers share one read.

The gateway id of an account changes when its entry is edited during a run. The account is recognized by its
key and address, so the next listing yields the new id.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from adapter.clock import Clock
from adapter.port import GatewayError
from adapter.port.errors import Banned, Unauthorised
from extension.engine.pool.listed_account import ListedAccount
from extension.engine.pool.listing import PoolListing, PoolReading

_LOG = structlog.get_logger("poolkeeper.probe")

PAUSE_SECONDS: Final = 2.0
"""Minimum time between two listings, so that a pool with many unknown accounts is not read continuously."""

Refresh = Callable[[ListedAccount], Awaitable[ListedAccount | None]]
"""Returns an account as the pool shows it now; None when it cannot be probed there."""


class PoolRefresh:
    """Shared re-reading of the pool for the probes of one run."""

    def __init__(self, listing: PoolListing, clock: Clock) -> None:
        self._listing = listing
        self._clock = clock
        self._turn = asyncio.Lock()
        self._reading: PoolReading | None = None
        self._read_at: float | None = None

    async def __call__(self, listed: ListedAccount) -> ListedAccount | None:
        """See `Refresh`.

        Raises:
            Unauthorised: our own key is refused: everything has to stop.
            Banned: our own address is locked out: everything has to stop.
        """
        async with self._turn:
            if self._read_at is None or self._clock.monotonic() - self._read_at >= PAUSE_SECONDS:
                await self._read()
            found = None if self._reading is None else self._reading.accounts.get(listed.id)
        return found if found is not None and found.account.probeable else None

    async def _read(self) -> None:
        self._read_at = self._clock.monotonic()
        try:
            self._reading = await self._listing.read()
        except (Unauthorised, Banned):
            raise
        except GatewayError as error:
            self._reading = None
            _LOG.warning("pool-not-read-again", error=error.text)


async def no_refresh(_listed: ListedAccount) -> ListedAccount | None:
    """Read nothing again, so that an account the gateway does not know stays unknown."""
    return None
