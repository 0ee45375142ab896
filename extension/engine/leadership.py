"""Leadership: the lease of the one process that inspects, collects and notifies, among those on one database.

Theory of operation: the leader renews its term long before it ends. Every write of the engine checks the epoch of the
lease in its own transaction (`require` as the fence of a database), so a process that was stopped past its term changes
nothing when it goes on. What is sent to a gateway cannot be taken back like a transaction, so it is sent only while the
last renewal is younger than the term (`is_certain`). The other processes try to claim the lease again and again.
"""

import math
import secrets
from contextlib import suppress
from typing import Final

from adapter.clock import Clock
from extension.store import leases
from extension.store.database.database import Database, Transaction
from extension.store.errors import LeaseExpired, StoreError
from extension.store.leases import LeaseRecord

TERM_MS: Final = 10_000
"""Term of the lease: another process takes over after it."""
TRY_SECONDS: Final = 2.0
"""Pause between two attempts to claim or renew the lease."""
_NAME: Final = "engine"


class Leadership:
    """The claim of this process on the lease, renewed while `keep` runs."""

    def __init__(self, database: Database, clock: Clock, address: str) -> None:
        self._database = database
        self._clock = clock
        self._address = address
        self._owner = secrets.token_hex(16)
        self._epoch = 0
        self._certain_until = -math.inf

    @property
    def is_certain(self) -> bool:
        """True while no other process can have taken the lease, by the clock of this one."""
        return self._clock.monotonic() < self._certain_until

    async def claim(self) -> bool:
        """Take the lease if it is free. Raises `StoreError`."""
        begun = self._clock.monotonic()
        epoch = await self._database.write(leases.claim, _NAME, self._owner, self._address, TERM_MS)
        self._epoch = epoch or 0
        if epoch is not None:
            self._certain_until = begun + TERM_MS / 1000
        return epoch is not None

    async def keep(self) -> None:
        """Renew the lease until another process has it; return then.

        A database that does not answer is asked again: nothing can be written meanwhile, and no other process can take
        the lease in a database that is down.
        """
        while True:
            await self._clock.sleep(TRY_SECONDS)
            epoch, begun = self._epoch, self._clock.monotonic()
            try:
                await self._database.write(leases.extend, _NAME, epoch, TERM_MS)
            except LeaseExpired:
                self._certain_until = -math.inf
                return
            except StoreError:
                continue
            self._certain_until = begun + TERM_MS / 1000

    async def release(self) -> None:
        """Give the lease back, so that another process need not wait for the end of its term."""
        epoch, self._epoch = self._epoch, 0
        self._certain_until = -math.inf
        if epoch:
            with suppress(LeaseExpired):
                await self._database.write(leases.extend, _NAME, epoch, 0)

    async def holder(self) -> LeaseRecord | None:
        """Return the lease of the leading process; None while there is none."""
        return await self._database.read(leases.holder, _NAME)

    def require(self, transaction: Transaction) -> None:
        """Make sure, within a transaction, that this process leads. Raises `LeaseExpired`."""
        leases.require(transaction, _NAME, self._epoch)
