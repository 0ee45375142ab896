"""Reader of the pool: lists, recognizes and stores its accounts."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adapter.clock import Clock
from adapter.port import Account, Accounts, Pool
from adapter.privacy.secret import Redactor
from extension.engine.errors import AccountUnknown
from extension.engine.pool.credential import Credential, facts_of, grouped
from extension.engine.pool.disabled_by import disabled_by
from extension.engine.pool.views import PoolAccount, PoolView, SkippedEntry
from extension.inspection.accounts.account import Scope, Source, in_scope, statistics
from extension.store import events
from extension.store.actions import actions
from extension.store.database.database import Database, Transaction
from extension.store.pool import accounts, pools, warnings
from extension.store.records import AccountFacts, AccountRecord, ActionRecord, EventKind, ResultRecord
from extension.store.runs import results

SKIPPED_ENTRY = "skipped-entry"
"""Kind of the warning about a listed entry that is no account."""

_KEYS_STAY = "API keys are never deleted; disable the account instead."


@dataclass(frozen=True, slots=True)
class PoolReading:
    """The pool at one moment, with our numbers of its credentials."""

    pool: Pool
    credentials: Mapping[int, Credential]

    def in_scope(self, scope: Scope) -> tuple[Credential, ...]:
        """Return the credentials of which some place is in scope, in the pool's order."""
        return tuple(
            credential
            for credential in self.credentials.values()
            if any(in_scope(member, scope) for member in credential.members)
        )


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
        self._pool_name = pool_name
        self._pool_id: int | None = None
        self._last_facts: Mapping[Account, AccountFacts] = {}
        self._stored: dict[accounts.Identity, tuple[int, AccountFacts]] = {}

    @property
    def pool_id(self) -> int:
        """Number of the pool in the store."""
        if self._pool_id is None:
            raise RuntimeError("The inspector is not open.")
        return self._pool_id

    async def open(self) -> None:
        """Find the pool in the store, or make it."""
        now = self._clock.now_ms()
        self._pool_id = await self._database.write(lambda transaction: pools.ensure(transaction, self._pool_name, now))

    async def read(self) -> PoolReading:
        """Read the pool from the gateway, remember its accounts and warn of entries that had to be skipped.

        Raises:
            GatewayError: it could not be read.
        """
        pool = await self._gateway.accounts()
        groups = grouped(pool.accounts)
        facts = await asyncio.to_thread(self._facts, groups)
        numbers = await self._remember(facts)
        if pool.skipped:
            await self._warn(self._skipped(pool))
        credentials = (
            Credential(numbers[which], Source(which[0]), facts[which], members) for which, members in groups.items()
        )
        return PoolReading(pool, {credential.id: credential for credential in credentials})

    async def remembered(self, account_ids: Sequence[int]) -> tuple[AccountRecord, ...]:
        """Return the records of accounts, in the order given, whether or not the pool still has them.

        Raises:
            AccountUnknown: one of them was never in the pool.
        """
        pool_id = self.pool_id
        every = await self._database.read(lambda transaction: accounts.all_of(transaction, pool_id))
        by_number = {record.id: record for record in every.values()}
        unknown = [number for number in account_ids if number not in by_number]
        if unknown:
            raise AccountUnknown(unknown)
        return tuple(by_number[number] for number in account_ids)

    async def set_flags(self, account_ids: Sequence[int], flags: Mapping[str, bool]) -> None:
        """Set flags of accounts, and tell that the pool has changed.

        Raises:
            AccountUnknown: one of them was never in the pool; nothing was changed.
        """
        await self.remembered(account_ids)
        if not flags:
            return
        now = self._clock.now_ms()

        def store(transaction: Transaction) -> None:
            accounts.set_flags(transaction, account_ids, flags)
            events.append(transaction, now, EventKind.POOL, None, {})

        await self._database.write(store)

    async def view(self, scope: Scope) -> PoolView:
        """Read the pool and return the accounts in scope with their stored results and ownership."""
        reading = await self.read()
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

    def _shown(self, reading: PoolReading, chosen: Sequence[Credential], known: _Known) -> PoolView:
        return PoolView(
            revision=reading.pool.revision,
            read_at=reading.pool.read_at,
            statistics=statistics(credential.enabled for credential in chosen),
            accounts=tuple(_view(credential, known) for credential in chosen),
            skipped=self._skipped(reading.pool),
        )

    def _skipped(self, pool: Pool) -> tuple[SkippedEntry, ...]:
        redact = self._redactor.redact
        return tuple(SkippedEntry(redact(entry.name), redact(entry.reason)) for entry in pool.skipped)

    def _facts(
        self, groups: Mapping[accounts.Identity, tuple[Account, ...]]
    ) -> Mapping[accounts.Identity, AccountFacts]:
        """Redact new accounts only, and off the event loop: ten thousand take a second of pattern matching."""
        known, redactor = self._last_facts, self._redactor
        found = {members[0]: which for which, members in groups.items()}
        facts = {account: known.get(account) or facts_of(account, redactor) for account in found}
        self._last_facts = facts
        return {which: facts[account] for account, which in found.items()}

    async def _remember(self, seen: Mapping[accounts.Identity, AccountFacts]) -> Mapping[accounts.Identity, int]:
        """Return the numbers of accounts, storing those that are new or have moved, which are rare.

        Accounts are written nowhere else, so a record that was read once stays valid.
        """
        pool_id, now = self.pool_id, self._clock.now_ms()
        stored = self._stored
        if not all((known := stored.get(which)) and known[1] == facts for which, facts in seen.items()):
            records = await self._database.read(lambda transaction: accounts.all_of(transaction, pool_id))
            if not all((record := records.get(which)) and record.facts == facts for which, facts in seen.items()):
                records = await self._store(tuple(seen.values()), now)
            stored = self._stored = {which: (records[which].id, facts) for which, facts in seen.items()}
        return {which: stored[which][0] for which in seen}

    async def _store(self, seen: Sequence[AccountFacts], now: int) -> Mapping[accounts.Identity, AccountRecord]:
        pool_id = self.pool_id

        def store(transaction: Transaction) -> Mapping[accounts.Identity, AccountRecord]:
            events.append(transaction, now, EventKind.POOL, None, {})
            return accounts.remember(transaction, pool_id, seen, now)

        return await self._database.write(store)

    async def _warn(self, skipped: Sequence[SkippedEntry]) -> None:
        pool_id, now = self.pool_id, self._clock.now_ms()
        found = [(entry.name, entry.reason) for entry in skipped]
        await self._database.write(lambda transaction: warnings.record(transaction, pool_id, SKIPPED_ENTRY, found, now))


def _view(credential: Credential, known: _Known) -> PoolAccount:
    account = credential.account
    reasons = (member.switch_reason for member in credential.members)
    return PoolAccount(
        record=known.records[credential.id],
        enabled=credential.enabled,
        runtime_only=account.runtime_only,
        listed=any(member.listed for member in credential.members),
        probeable=account.probeable,
        entries=len(credential.members),
        switch=account.switch.value if credential.switchable else "none",
        switch_reason=next((reason for reason in reasons if reason), ""),
        deletable=bool(credential.files),
        delete_reason="" if credential.files else _KEYS_STAY,
        disabled_by=disabled_by(credential.enabled, known.actions.get(credential.id)),
        last_result=known.results.get(credential.id),
    )
