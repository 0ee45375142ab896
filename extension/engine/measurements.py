"""Measurements of the pool and its runs, as plain numbers."""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from adapter.clock import Clock
from adapter.port import GatewayError
from extension.engine.inspector import Inspector
from extension.engine.pool.listed_account import PoolAccount
from extension.engine.pool.listing import PoolReading
from extension.inspection.accounts.account import Selection, Source
from extension.store import events
from extension.store.actions import held, search
from extension.store.database.database import Database, Transaction
from extension.store.errors import StoreError
from extension.store.fleet import figures
from extension.store.fleet.figures import PoolFigures
from extension.store.records import RunRecord

_FULL = 100.0
_FIGURE_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class Measurements:
    """Numbers of one moment; credentials and quotas are None while the gateway does not answer.

    `credentials` are counted by family, status of the last check and state; `quotas` are the remaining shares by
    auth index and window, the lowest where a window is reported for several parts of an account.
    """

    credentials: Mapping[tuple[str, str, str], int] | None
    quotas: Mapping[tuple[str, str], float] | None
    actions: Mapping[tuple[str, str, str], int]
    on_hold: int
    active_run: RunRecord | None
    last_run: RunRecord | None


class MeasurementReader:
    """Reads measurements of one pool; the inspector must be open."""

    def __init__(self, inspector: Inspector, database: Database) -> None:
        self._inspector = inspector
        self._database = database

    async def read(self) -> Measurements:
        """Read all measurements; a gateway that does not answer leaves only those that it decides on out."""
        accounts = await self._accounts()
        newest = await self._inspector.runs.recent(_NEWEST)

        def stored(transaction: Transaction) -> tuple[Mapping[tuple[str, str, str], int], int]:
            return search.counts(transaction), held.waiting_count(transaction)

        actions, on_hold = await self._database.read(stored)
        return Measurements(
            credentials=None if accounts is None else _credentials(accounts),
            quotas=None if accounts is None else _quotas(accounts),
            actions=actions,
            on_hold=on_hold,
            active_run=next((run for run in newest if run.finished_at is None), None),
            last_run=next((run for run in newest if run.finished_at is not None), None),
        )

    async def ready(self) -> None:
        """Read one row of the database, and make sure that the last write did not fail. Raises `StoreError`."""
        self._database.health.require()
        await self._inspector.history.recent(1)

    async def _accounts(self) -> tuple[PoolAccount, ...] | None:
        try:
            views = [await self._inspector.listing.view(Selection(source)) for source in Source]
        except GatewayError:
            return None
        return tuple(account for view in views for account in view.accounts)


_NEWEST = 20


def _credentials(accounts: tuple[PoolAccount, ...]) -> Mapping[tuple[str, str, str], int]:
    return Counter(
        (
            account.facts.family or account.facts.provider,
            account.last_result.verdict if account.last_result else "unchecked",
            _STATES[account.enabled],
        )
        for account in accounts
    )


def _quotas(accounts: tuple[PoolAccount, ...]) -> Mapping[tuple[str, str], float]:
    quotas: dict[tuple[str, str], float] = {}
    for account in accounts:
        for window in account.last_result.windows if account.last_result else ():
            if window.used is not None:
                key = (account.facts.auth_index, window.name)
                remaining = min(1.0, max(0.0, 1.0 - window.used / _FULL))
                quotas[key] = min(remaining, quotas.get(key, remaining))
    return quotas


_STATES: Mapping[bool | None, str] = {True: "enabled", False: "disabled", None: "unknown"}


class FigureWriter:
    """Rolls the figures of a pool up into one row, from which a console of a fleet answers."""

    def __init__(self, inspector: Inspector, database: Database, clock: Clock) -> None:
        self._inspector = inspector
        self._database = database
        self._clock = clock
        self._seen: tuple[int, PoolReading | None] = (-1, None)

    async def follow(self) -> None:
        """Store the figures whenever something has happened in the pool, until canceled."""
        while True:
            await self.close()
            await self._clock.sleep(_FIGURE_SECONDS)

    async def close(self) -> None:
        """Store the figures as they are at the end; a database that refuses keeps the earlier ones."""
        with suppress(StoreError):
            await self.write()

    async def write(self) -> None:
        """Store the figures, unless nothing has happened since; a pool that was never read has none."""
        listing = self._inspector.listing
        newest, reading = await self._database.read(events.newest, listing.pool_id), listing.last
        if reading is None or (newest == self._seen[0] and reading is self._seen[1]):
            return

        def store(transaction: Transaction) -> None:
            last = figures.last_verdicts(transaction, listing.pool_id)
            verdicts = Counter(last[number] for number in reading.accounts if number in last)
            enabled = sum(account.enabled is True for account in reading.accounts.values())
            counts = (len(reading.accounts), enabled, verdicts, figures.on_hold(transaction, listing.pool_id))
            figures.put(transaction, PoolFigures(listing.pool_id, self._clock.now_ms(), *counts))

        await self._database.write(store)
        self._seen = newest, reading
