"""Reader of the pool: lists and stores its accounts, and reads it again when ids have changed during a run.

The gateway id of an account changes when its entry is edited during a run. The account is recognized by its
key and address, so the next listing yields the new id. Concurrent callers of a refresh share one read.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import structlog

from adapter.clock import Clock
from adapter.port import Account, Accounts, GatewayError, Pool
from adapter.port.errors import Banned, Unauthorised
from adapter.privacy.secret import Redactor
from extension.engine.errors import AccountUnknown
from extension.engine.pool.listed_account import (
    ListedAccount,
    PoolAccount,
    PoolView,
    SkippedEntry,
    disabled_by,
    facts_of,
    numbered,
    switch_refusal,
)
from extension.engine.shared_call import SharedCall
from extension.inspection.accounts.account import Scope, Source, in_scope, statistics
from extension.store import events
from extension.store.actions import actions
from extension.store.database.database import Database, Transaction
from extension.store.pool import accounts, pools, warnings
from extension.store.pool.recognition import Identity, identity
from extension.store.records import AccountFacts, AccountRecord, ActionRecord, EventKind, ResultRecord
from extension.store.runs import results

SKIPPED_ENTRY = "skipped-entry"
"""Kind of the warning about a listed entry that is no account."""


@dataclass(frozen=True, slots=True)
class PoolReading:
    """The pool at one moment, with our numbers of its accounts; `start` is the newest event at its beginning."""

    pool: Pool
    accounts: Mapping[int, ListedAccount]
    start: int = 0

    def in_scope(self, scope: Scope) -> tuple[ListedAccount, ...]:
        """Return the accounts in scope, in the pool's order."""
        return tuple(listed for listed in self.accounts.values() if in_scope(listed.account, scope))


@dataclass(frozen=True, slots=True)
class _Known:
    """Stored knowledge of the pool, by account."""

    records: Mapping[int, AccountRecord]
    results: Mapping[int, ResultRecord]
    actions: Mapping[int, ActionRecord]


class PoolListing:
    """Reads one pool. `open` it first: it finds the pool's number."""

    def __init__(self, gateway: Accounts, database: Database, clock: Clock, redactor: Redactor, pool_name: str) -> None:
        self._gateway = gateway
        self._database = database
        self._clock = clock
        self._redactor = redactor
        self.pool_name = pool_name
        self._pool_id: int | None = None
        self._last_facts: Mapping[Account, AccountFacts] = {}
        self._stored: dict[Identity, tuple[int, AccountFacts]] = {}
        self._last: PoolReading | None = None
        self._reading_seconds = 0.0
        self._shared = SharedCall(self._read, clock)

    @property
    def reading_seconds(self) -> float:
        """Seconds the last reading took that found something new; 0 before the first."""
        return self._reading_seconds

    @property
    def pool_id(self) -> int:
        """Number of the pool in the store."""
        if self._pool_id is None:
            raise RuntimeError("The inspector is not open.")
        return self._pool_id

    @property
    def last(self) -> PoolReading | None:
        """The last reading that found something new; None before the first."""
        return self._last

    async def open(self) -> None:
        """Find the pool in the store, or make it."""
        now = self._clock.now_ms()
        self._pool_id = await self._database.write(pools.ensure, self.pool_name, now)

    async def read(self, *, patient: bool = False, age: float = 0.0) -> PoolReading:
        """Read the pool from the gateway, remember its accounts and warn of entries that had to be skipped.

        Callers that come while it is read share the next reading: a gateway is never asked by many at once. `patient`
        callers leave it time between two readings, and a reading that began `age` seconds ago will do.
        """
        return await self._shared(patient=patient, age=age)

    async def _read(self) -> PoolReading:
        began, start = self._clock.monotonic(), await self._database.read(events.newest, self.pool_id)
        pool = await self._gateway.accounts()
        last = self._last
        if pool.skipped:
            await self._warn(self.skipped(pool))
        if last is not None and last.pool.accounts == pool.accounts:
            return PoolReading(pool, last.accounts, start)
        facts = await asyncio.to_thread(self._facts, pool.accounts)
        numbers = await self._remember(facts)
        listed = (
            ListedAccount(numbers[identity(own)], Source(own.source), own, account) for account, own in facts.items()
        )
        before = last.accounts if last is not None else {}
        records = {account.id: _kept(before.get(account.id), account) for account in listed}
        self._last = PoolReading(pool, records, start)
        self._reading_seconds = self._clock.monotonic() - began
        return self._last

    async def remembered(self, account_ids: Sequence[int]) -> tuple[AccountRecord, ...]:
        """Return the records of accounts, in the order given, whether or not the pool still has them.

        Raises `AccountUnknown`: one of them was never in the pool.
        """
        every = await self._database.read(accounts.all_of, self.pool_id)
        by_number = {record.id: record for record in every.values()}
        unknown = [number for number in account_ids if number not in by_number]
        if unknown:
            raise AccountUnknown(unknown)
        return tuple(by_number[number] for number in account_ids)

    async def set_flags(
        self,
        account_ids: Sequence[int],
        *,
        never_probe: bool | None = None,
        managed: bool | None = None,
        protected: bool | None = None,
    ) -> None:
        """Set flags of accounts; None leaves one as it is.

        Runs skip an account excluded from checks. Automation may enable a managed account that a person disabled,
        and never changes a protected one.
        Raises `AccountUnknown`.
        """
        values = {"never_probe": never_probe, "managed": managed, "protected": protected}
        flags = {name: flag for name, flag in values.items() if flag is not None}
        await self.remembered(account_ids)
        if not flags:
            return
        now = self._clock.now_ms()

        def store(transaction: Transaction) -> None:
            accounts.set_flags(transaction, account_ids, flags)
            events.append(transaction, now, EventKind.POOL, None, {}, pool_id=self.pool_id)

        await self._database.write(store)

    async def view(self, scope: Scope, reading: PoolReading | None = None) -> PoolView:
        """Return the accounts in scope with their stored results and ownership; the pool is read unless it was."""
        reading = reading or await self.read(patient=True)
        pool_id = self.pool_id

        def known(transaction: Transaction) -> _Known:
            records = accounts.all_of(transaction, pool_id).values()
            return _Known(
                {record.id: record for record in records},
                results.latest(transaction, pool_id),
                actions.last_applied(transaction, pool_id),
            )

        # In a thread, as the reading: a large pool takes longer than a turn of the loop.
        return await asyncio.to_thread(self._shown, reading, reading.in_scope(scope), await self._database.read(known))

    def _shown(self, reading: PoolReading, chosen: Sequence[ListedAccount], known: _Known) -> PoolView:
        sharing = Counter(_key(listed) for listed in reading.accounts.values())
        return PoolView(
            revision=reading.pool.revision,
            read_at=reading.pool.read_at,
            statistics=statistics(listed.enabled for listed in chosen),
            accounts=tuple(_view(listed, known, sharing[_key(listed)]) for listed in chosen),
            skipped=self.skipped(reading.pool),
        )

    def skipped(self, pool: Pool) -> tuple[SkippedEntry, ...]:
        """Return the skipped entries of a pool, free of secrets."""
        redact = self._redactor.redact
        return tuple(SkippedEntry(redact(entry.name), redact(entry.reason)) for entry in pool.skipped)

    def _facts(self, listed: Sequence[Account]) -> Mapping[Account, AccountFacts]:
        """Redact new accounts only, and off the event loop: ten thousand take a second of pattern matching."""
        known, redactor = self._last_facts, self._redactor
        facts = {account: known.get(account) or facts_of(account, redactor) for account in listed}
        self._last_facts = facts
        return numbered(listed, facts)

    async def _remember(self, listed: Mapping[Account, AccountFacts]) -> Mapping[Identity, int]:
        """Return the numbers of accounts, storing those that are new or have moved, which are rare.

        Accounts are written nowhere else, so a record that was read once stays valid.
        """
        seen = {identity(facts): facts for facts in listed.values()}
        stored = self._stored
        if len(stored) != len(seen) or not all(
            (known := stored.get(which)) and known[1] == facts for which, facts in seen.items()
        ):
            records = await self._database.read(accounts.all_of, self.pool_id)
            is_stale = any(accounts.is_marked(record.facts) for which, record in records.items() if which not in seen)
            if is_stale or not all(
                (record := records.get(which)) and record.facts == facts for which, facts in seen.items()
            ):
                records = await self._store(listed)
            stored = self._stored = {which: (records[which].id, facts) for which, facts in seen.items()}
        return {which: stored[which][0] for which in seen}

    async def _store(self, listed: Mapping[Account, AccountFacts]) -> Mapping[Identity, AccountRecord]:
        pool_id, now = self.pool_id, self._clock.now_ms()

        def store(transaction: Transaction) -> Mapping[Identity, AccountRecord]:
            events.append(transaction, now, EventKind.POOL, None, {}, pool_id=pool_id)
            return accounts.remember(transaction, pool_id, tuple(listed.values()), now)

        return await self._database.write(store)

    async def _warn(self, skipped: Sequence[SkippedEntry]) -> None:
        pool_id, now = self.pool_id, self._clock.now_ms()
        entries = [(entry.name, entry.reason) for entry in skipped]
        await self._database.write(warnings.record, pool_id, SKIPPED_ENTRY, entries, now)


def _kept(old: ListedAccount | None, new: ListedAccount) -> ListedAccount:
    """Return the object of the reading before where nothing has changed: rows of the pool are compared by it."""
    return old if old is not None and old == new else new


def _key(listed: ListedAccount) -> tuple[str, str]:
    return listed.facts.source, listed.facts.fingerprint


def _view(listed: ListedAccount, known: _Known, entries: int) -> PoolAccount:
    account = listed.account
    return PoolAccount(
        record=known.records[listed.id],
        enabled=listed.enabled,
        runtime_only=account.runtime_only,
        listed=account.listed,
        probeable=account.probeable,
        entries=entries,
        switch=account.switch.value,
        switch_refusal=switch_refusal(account),
        deletable=listed.file is not None,
        disabled_by=disabled_by(listed.enabled, known.actions.get(listed.id)),
        last_result=known.results.get(listed.id),
    )


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
        """See `Refresh`. Raises `Unauthorised` or `Banned`."""
        async with self._turn:
            if self._read_at is None or self._clock.monotonic() - self._read_at >= PAUSE_SECONDS:
                await self._read()
            current = None if self._reading is None else self._reading.accounts.get(listed.id)
        return current if current is not None and current.account.probeable else None

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
