"""Overview of the pool: its rows as it is now, put together again only after something has changed."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from extension.engine.event_log import EventLog
from extension.engine.pool.listing import PoolListing, PoolReading
from extension.engine.pool.table import NO_FLAGS, PoolRow
from extension.engine.pool.views import SkippedEntry
from extension.inspection.accounts.account import Scope, Statistics, in_scope, statistics
from extension.inspection.evidence.action import Action
from extension.store.database.database import Database
from extension.store.pool import overview
from extension.store.pool.overview import Overview


@dataclass(frozen=True, slots=True)
class PoolTable:
    """Accounts in scope without evidence, in the pool's order; `version` changes with anything in it."""

    revision: str
    read_at: int
    version: str
    statistics: Statistics
    rows: Sequence[PoolRow]
    skipped: tuple[SkippedEntry, ...]


class PoolOverview:
    """Reader of the rows of one pool.

    Every change of what is stored of accounts comes with an event, so the end of the event log is its version.
    """

    def __init__(self, database: Database, listing: PoolListing, event_log: EventLog) -> None:
        self._database = database
        self._listing = listing
        self._event_log = event_log
        self._known: tuple[int, Overview] | None = None
        self._rows: tuple[str, Sequence[PoolRow]] | None = None
        self._reading = asyncio.Lock()  # readers that ask at once read once

    async def read(self, scope: Scope | None = None) -> PoolTable:
        """Read the pool from the gateway and return the rows of the accounts in scope, or of all.

        Raises:
            GatewayError: it could not be read.
        """
        reading = await self._listing.read(patient=True)
        async with self._reading:
            version, every = await self._all(reading)
        rows = [row for row in every if scope is None or in_scope(row.listed.account, scope)]
        return PoolTable(
            revision=reading.pool.revision,
            read_at=reading.pool.read_at,
            version=version,
            statistics=statistics(row.listed.enabled for row in rows),
            rows=rows,
            skipped=self._listing.skipped(reading.pool),
        )

    async def _all(self, reading: PoolReading) -> tuple[str, Sequence[PoolRow]]:
        """Return the rows of all accounts with their version."""
        end = await self._event_log.end()
        if self._known is None or self._known[0] != end:
            pool_id, before = self._listing.pool_id, self._known and self._known[1]
            read = await self._database.read(lambda transaction: overview.overview(transaction, pool_id, before))
            self._known = end, read
        version, known = f"{reading.pool.revision}-{end}", self._known[1]
        if self._rows is None or self._rows[0] != version:
            old = {} if self._rows is None else {row.listed.id: row for row in self._rows[1]}
            # In a thread: a large pool takes longer than a turn of the loop.
            self._rows = version, await asyncio.to_thread(_rows, reading, known, old)
        return self._rows


def _rows(reading: PoolReading, known: Overview, before: Mapping[int, PoolRow]) -> Sequence[PoolRow]:
    """Put the rows together; one that is as it was `before` stays the same object, with what was made of it."""
    results, actions, flags, on_hold, *_ = known
    keys = {number: (listed.facts.source, listed.facts.fingerprint) for number, listed in reading.accounts.items()}
    sharing = Counter(keys.values())
    rows = []
    for number, listed in reading.accounts.items():
        last = actions.get(number) if listed.enabled is False else None
        by = last if last is not None and last.action == Action.DISABLE else None
        result = results.get(number)
        row = PoolRow(listed, flags.get(number, NO_FLAGS), result, by, sharing[keys[number]], number in on_hold)
        old = before.get(number)
        rows.append(old if old is not None and _is_same(old, row) else row)
    return rows


def _is_same(old: PoolRow, row: PoolRow) -> bool:
    """Compare two rows of an account; entry and result are compared as objects, which the readings keep."""
    return (
        old.listed is row.listed
        and old.result is row.result
        and (old.flags, old.disabled_by, old.entries, old.on_hold)
        == (row.flags, row.disabled_by, row.entries, row.on_hold)
    )
