"""Tenure: the lease of the one process that works on a gateway, among those on one database.

Theory of operation: the owner renews its term long before it ends. Every write of the engine checks the epoch of the
lease in its own transaction (`require` as the fence of a database), so a process that was stopped past its term changes
nothing when it goes on. A request to a gateway cannot be taken back like a transaction, so it is sent only while the
last renewal is younger than the term (`is_certain`, the permission of the work).
"""

import asyncio
import math
import secrets
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from adapter.clock import Clock
from extension.store import leases
from extension.store.database.database import Database, Transaction
from extension.store.errors import LeaseExpired, StoreError


@dataclass(frozen=True, slots=True)
class Terms:
    """Times of leases and workers in seconds: after a `term` without a sign of life another process takes over."""

    term: float = 10.0
    beat: float = 2.0
    """Pause between two signs of life."""
    answer: float = 5.0
    """Time a caller waits for the answer to a command."""
    linger: float = 10.0
    """Rest after which a visit ends."""
    wake: float = 60.0
    """Pause between two visits to a gateway at rest."""

    @property
    def term_ms(self) -> int:
        """The term in milliseconds."""
        return round(self.term * 1000)


def lease_name(gateway: int) -> str:
    """Return the name of the lease of a gateway, which names its jobs as well."""
    return f"gateway:{gateway}"


_OWNER: Final = secrets.token_hex(16)
"""Name of this process among the owners of leases."""


class Tenure:
    """The claim of this process on a gateway, renewed while `keep` runs.

    `called` is set when a command waits, and `leaving` when the visit is to hand over. `resting` is set by the visit
    while it has nothing to do.
    """

    def __init__(self, database: Database, clock: Clock, gateway: int, terms: Terms, address: str = "") -> None:
        self.gateway = gateway
        self.terms = terms
        self.called = asyncio.Event()
        self.leaving = asyncio.Event()
        self.resting = False
        self._database = database
        self._clock = clock
        self._name = lease_name(gateway)
        self._address = address
        self._owner = f"{_OWNER}:{secrets.token_hex(4)}"
        self._epoch = 0
        self._certain_until = -math.inf

    @property
    def is_certain(self) -> bool:
        """True while no other process can have taken the lease, by the clock of this one."""
        return self._clock.monotonic() < self._certain_until

    async def claim(self) -> bool:
        """Take the lease if it is free. Raises `StoreError`."""
        begun = self._clock.monotonic()
        epoch = await self._database.write(leases.claim, self._name, self._owner, self._address, self.terms.term_ms)
        self._epoch = epoch or 0
        if epoch is not None:
            self._certain_until = begun + self.terms.term
        return epoch is not None

    async def keep(self) -> None:
        """Renew the lease until another process has it; return then.

        A database that does not answer is asked again: nothing can be written meanwhile, and no other process can take
        the lease in a database that is down.
        """
        while True:
            await self._clock.sleep(self.terms.beat)
            epoch, begun = self._epoch, self._clock.monotonic()
            try:
                await self._database.write(leases.extend, self._name, epoch, self.terms.term_ms)
            except LeaseExpired:
                self._certain_until = -math.inf
                return
            except StoreError:
                continue
            self._certain_until = begun + self.terms.term

    async def release(self) -> None:
        """Give the lease back, so that another process need not wait for the end of its term."""
        epoch, self._epoch = self._epoch, 0
        self._certain_until = -math.inf
        if epoch:
            with suppress(LeaseExpired):
                await self._database.write(leases.extend, self._name, epoch, 0)

    def leave(self) -> None:
        """Have the visit hand over."""
        self.leaving.set()
        self.called.set()

    def require(self, transaction: Transaction) -> None:
        """Make sure, within a transaction, that this process owns the gateway. Raises `LeaseExpired`."""
        leases.require(transaction, self._name, self._epoch)
