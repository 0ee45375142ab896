"""Overview of the pool: its rows as it is now, put together again only after something has changed.

Theory of operation. A run stores results many times a second, and readers that follow it would have the gateway read,
and all rows put together, after each of them: with hundreds of readers the run then waits for them. While nothing but
results and progress of a run is new, the rows are therefore answered again for `ROWS_SECONDS`, and the reading of the
gateway for `READING_SECONDS`. Any other news, such as an action, a flag or the end of the run, ends both.

A large pool is answered in pages, and one with ten thousand accounts takes a gateway a second to tell. A reader who
names the revision of the page before gets the next one from the same reading, for `PAGES_SECONDS` and until such news.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from adapter.clock import Clock
from extension.engine.event_log import EventLog
from extension.engine.pool.listed_account import PoolView, SkippedEntry
from extension.engine.pool.listing import PoolListing, PoolReading
from extension.engine.pool.table import NO_FLAGS, PoolRow
from extension.inspection.accounts.account import Scope, Statistics, in_scope, statistics
from extension.inspection.evidence.action import Action
from extension.store.database.database import Database
from extension.store.pool import overview
from extension.store.pool.overview import Overview
from extension.store.records import EventKind

ROWS_SECONDS: Final = 2.0
"""Age up to which rows are answered again during a run."""
READING_SECONDS: Final = 6.0
"""Age up to which a reading of the gateway is used again during a run."""
PAGES_SECONDS: Final = 30.0
"""Age up to which a reading of the gateway is used for further pages of it."""
_PROGRESS: Final = frozenset({EventKind.RESULT, EventKind.RUN_PROGRESS})
_MOST_NEWS: Final = 500
_MOST_TABLES: Final = 50
"""Scopes whose rows are kept; each holds no more than a list."""


@dataclass(frozen=True, slots=True)
class PoolTable:
    """Accounts in scope without evidence, in the pool's order; `version` changes with anything in it.

    `bodies` holds the answers that a surface made of it, by their tags, so that a crowd of readers shares one.
    """

    reading: PoolReading
    revision: str
    read_at: int
    version: str
    statistics: Statistics
    rows: Sequence[PoolRow]
    skipped: tuple[SkippedEntry, ...]
    bodies: dict[str, "asyncio.Future[Any]"] = field(default_factory=dict, compare=False, repr=False)


@dataclass(slots=True)
class _Shown:
    """Rows as they were put together last: from a reading, at the monotonic times `read` and `made`.

    `start` is the newest event before the reading began, `seen` the newest one up to which only progress of a run came.
    """

    reading: PoolReading
    rows: Sequence[PoolRow]
    version: str
    read: float
    made: float
    start: int
    seen: int


class PoolOverview:
    """Reader of the rows of one pool.

    Every change of what is stored of accounts comes with an event, so the end of the event log is its version.
    """

    def __init__(self, database: Database, listing: PoolListing, event_log: EventLog, clock: Clock) -> None:
        self._database = database
        self._listing = listing
        self._event_log = event_log
        self._clock = clock
        self._known: tuple[int, Overview] | None = None
        self._shown: _Shown | None = None
        self._tables: dict[Scope | None, PoolTable] = {}
        self._reading = asyncio.Lock()  # readers that ask at once read once

    async def read(self, scope: Scope | None = None, *, revision: str = "", age: float = 0.0) -> PoolTable:
        """Return the rows of the accounts in scope, or of all, from a reading of the gateway.

        It begins now or, unless something but progress of a run is new since, `age` seconds ago at most; or it is
        `READING_SECONDS` old at most while a run is under way, or is the reading that is shown where that has this
        revision.
        """
        shown = await self._page(revision) or await self._again(ROWS_SECONDS)
        if shown is None:
            overview = await self._again(READING_SECONDS)
            basis = await self._read(age) if overview is None else overview
            async with self._reading:
                again = await self._again(ROWS_SECONDS)
                shown = again if again is not None and again.read >= basis.read else await self._make(basis)
        return self._table(shown, scope)

    async def with_evidence(self, table: PoolTable, scope: Scope) -> PoolView:
        """Return the accounts of a table with all of their last results, as they are stored now."""
        return await self._listing.view(scope, table.reading)

    async def _read(self, age: float) -> _Shown:
        """Read the gateway, without rows yet."""
        if age:
            earliest = self._clock.monotonic() - age
            reading = await self._listing.read(patient=True, age=age)
            if await self._progress_since(reading.start) is not None:
                return _Shown(reading, (), "", earliest, earliest, reading.start, reading.start)
        began, start = self._clock.monotonic(), await self._event_log.end()
        reading = await self._listing.read(patient=True)
        return _Shown(reading, (), "", began, began, start, start)

    async def _again(self, seconds: float) -> _Shown | None:
        """Return the table shown last if it is no older, and only progress of a run, at least some, is new since."""
        shown = self._shown
        if shown is None:
            return None
        now = self._clock.monotonic()
        since = shown.made if seconds == ROWS_SECONDS else shown.read
        if now - since >= seconds or not await self._only_progress(shown):
            return None
        return shown if shown.seen > shown.start else None

    async def _page(self, revision: str) -> _Shown | None:
        """Return the table shown last if it is of this revision, young enough, and only progress of a run is new."""
        shown = self._shown
        if shown is None or shown.reading.pool.revision != revision:
            return None
        is_young = self._clock.monotonic() - shown.read < PAGES_SECONDS
        return shown if is_young and await self._only_progress(shown) else None

    async def _only_progress(self, shown: _Shown) -> bool:
        newest = await self._progress_since(shown.seen)
        if newest is None:
            return False
        shown.seen = max(shown.seen, newest)
        return True

    async def _progress_since(self, seen: int) -> int | None:
        """Return the newest event, or None if something but progress of a run is new."""
        news = await self._event_log.events(seen, None, _MOST_NEWS)
        if len(news) == _MOST_NEWS or any(event.kind not in _PROGRESS for event in news):
            return None
        return news[-1].seq if news else seen

    async def _make(self, basis: _Shown) -> _Shown:
        """Put the rows of all accounts together, with the reading of `basis`."""
        end = await self._event_log.end()
        if self._known is None or self._known[0] != end:
            pool_id, before = self._listing.pool_id, self._known and self._known[1]
            read = await self._database.read(overview.overview, pool_id, before)
            self._known = end, read
        version, known, shown = f"{basis.reading.pool.revision}-{end}", self._known[1], self._shown
        if shown is None or shown.version != version:
            old = {} if shown is None else {row.listed.id: row for row in shown.rows}
            # In a thread: a large pool takes longer than a turn of the loop.
            rows = await asyncio.to_thread(_rows, basis.reading, known, old)
            self._tables.clear()
        else:
            rows = shown.rows
        self._shown = replace(basis, rows=rows, version=version, made=self._clock.monotonic())
        return self._shown

    def _table(self, shown: _Shown, scope: Scope | None) -> PoolTable:
        table = self._tables.get(scope)
        if table is not None and table.version == shown.version:
            if table.reading is not shown.reading:
                reading, read_at = shown.reading, shown.reading.pool.read_at
                table = self._tables[scope] = replace(table, reading=reading, read_at=read_at, bodies={})
        else:
            rows = [row for row in shown.rows if scope is None or in_scope(row.listed.account, scope)]
            table = PoolTable(
                reading=shown.reading,
                revision=shown.reading.pool.revision,
                read_at=shown.reading.pool.read_at,
                version=shown.version,
                statistics=statistics(row.listed.enabled for row in rows),
                rows=rows,
                skipped=self._listing.skipped(shown.reading.pool),
            )
            if shown is self._shown and len(self._tables) < _MOST_TABLES:
                self._tables[scope] = table
        return table


def _rows(reading: PoolReading, known: Overview, before: Mapping[int, PoolRow]) -> Sequence[PoolRow]:
    """Put the rows together; one that is as it was `before` stays the same object, with everything made of it."""
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
