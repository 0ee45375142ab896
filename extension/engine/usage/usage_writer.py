"""Writer of usage: records become events in a thread, and are stored under the collector's lease."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from adapter.clock import Clock
from adapter.port import UsageRecord
from adapter.privacy.secret import Redactor
from extension.engine.pool.listing import PoolListing
from extension.engine.usage.coverage import Gap
from extension.store.database.database import Database, Transaction
from extension.store.usage import collection
from extension.store.usage.collection import LeaseLost
from extension.store.usage.ingest import Stored, store
from extension.store.usage.names import Name
from extension.store.usage.records import CollectorState
from extension.usage.event import CostSource, EventCost, UsageEvent
from extension.usage.record_reading import Unreadable, UsageFingerprints, letter_text, read_record

T = TypeVar("T")

_MOST_NAMES: Final = 50_000
_Letter = tuple[int, str, str, str]


@dataclass(frozen=True, slots=True)
class StoredCount:
    """Result of storing records; `too_old` are events from before the oldest that is kept, which were left out."""

    stored: int
    duplicates: int
    unreadable: int
    too_old: int = 0


class UsageWriter:
    """Stores records and events. Those of the collector need its lease, which is checked in their transaction."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        redactor: Redactor,
        *,
        listing: PoolListing,
        fingerprints: UsageFingerprints,
        costs: CostSource,
    ) -> None:
        self._database = database
        self._clock = clock
        self._redactor = redactor
        self._listing = listing
        self._fingerprints = fingerprints
        self._costs = costs
        self._names: dict[Name, int] = {}
        self.epoch: int | None = None
        """Epoch of the lease; None without one."""
        self.expires_at = 0
        """End of the lease's term, integer milliseconds UTC."""

    async def claim(self, owner: str, term_ms: int, *, alone: bool) -> CollectorState | None:
        """Take the lease and return the state before; None while another process has it."""
        now, pool_id = self._clock.now_ms(), self._listing.pool_id
        taken = await self._database.write(collection.claim, pool_id, owner, now=now, term_ms=term_ms, alone=alone)
        self.epoch = None if taken is None else taken.epoch
        self.expires_at = now + term_ms
        return taken

    async def write(
        self, records: Sequence[UsageRecord], until: int, gap: Gap | None, *, source: str, term_ms: int
    ) -> StoredCount:
        """Store records with the time up to which they are complete, and a gap, in one transaction.

        Raises `LeaseLost`: another process collects; nothing was stored.
        """
        priced, letters = await self._priced(records)
        expires = self._clock.now_ms() + term_ms

        def work(transaction: Transaction) -> Stored:
            self._advance(transaction, until, expires, source, clean=False)
            pool_id = self._listing.pool_id
            if gap is not None:
                collection.add_gap(transaction, pool_id, gap.start, gap.end, kind=gap.kind, missing=gap.missing)
            collection.add_letters(transaction, pool_id, letters)
            return self._stored(transaction, priced)

        written = self._done(await self._leased(work), len(letters))
        self.expires_at = expires
        return written

    async def keep(self, records: Sequence[UsageRecord]) -> StoredCount:
        """Store records without the lease and without touching the collector's state."""
        priced, letters = await self._priced(records)

        def work(transaction: Transaction) -> Stored:
            collection.add_letters(transaction, self._listing.pool_id, letters)
            return self._stored(transaction, priced)

        return self._done(await self._database.write(work), len(letters))

    async def release(self, until: int, source: str, *, clean: bool) -> None:
        """Give the lease back; `clean` after an end that lost nothing."""
        await self._leased(lambda transaction: self._advance(transaction, until, 0, source, clean=clean))
        self.epoch = None

    async def add(self, events: Sequence[UsageEvent]) -> StoredCount:
        """Store events that come from elsewhere, such as an export; no lease is needed for them.

        Where the retention has removed events, the sums still count them, and nothing tells such an event from a new
        one. It is left out.
        """
        await self._costs.refresh()
        priced = await asyncio.to_thread(lambda: [(event, self._costs.cost(event)) for event in events])

        def work(transaction: Transaction) -> tuple[Stored, int]:
            state = collection.state(transaction, self._listing.pool_id)
            recent = [pair for pair in priced if state is None or pair[0].at >= state.pruned_before]
            return self._stored(transaction, recent), len(priced) - len(recent)

        stored, too_old = await self._database.write(work)
        return replace(self._done(stored, 0), too_old=too_old)

    async def _leased(self, work: Callable[[Transaction], T]) -> T:
        try:
            return await self._database.write(work)
        except LeaseLost:
            self.epoch = None
            raise

    def _advance(self, transaction: Transaction, until: int, expires: int, source: str, *, clean: bool) -> None:
        if self.epoch is None:
            raise LeaseLost
        collection.advance(
            transaction,
            self._listing.pool_id,
            self.epoch,
            covered_until=until,
            expires_at=expires,
            source=source,
            clean=clean,
        )

    async def _priced(
        self, records: Sequence[UsageRecord]
    ) -> tuple[list[tuple[UsageEvent, EventCost | None]], list[_Letter]]:
        if not records:
            return [], []
        await self._costs.refresh()
        return await asyncio.to_thread(self._read, records)

    def _read(self, records: Sequence[UsageRecord]) -> tuple[list[tuple[UsageEvent, EventCost | None]], list[_Letter]]:
        priced: list[tuple[UsageEvent, EventCost | None]] = []
        letters: list[_Letter] = []
        for record in records:
            event = read_record(record.raw, self._fingerprints)
            if isinstance(event, Unreadable):
                text = letter_text(record.raw, self._redactor)
                letters.append((self._clock.now_ms(), event.reason, event.field, text))
            else:
                priced.append((event, self._costs.cost(event)))
        return priced, letters

    def _stored(self, transaction: Transaction, priced: Sequence[tuple[UsageEvent, EventCost | None]]) -> Stored:
        return store(transaction, self._listing.pool_id, priced, self._names)

    def _done(self, stored: Stored, unreadable: int) -> StoredCount:
        """Keep the names now that they are committed."""
        self._names = dict(stored.names) if len(stored.names) < _MOST_NAMES else {}
        return StoredCount(stored.new, stored.duplicates, unreadable)
