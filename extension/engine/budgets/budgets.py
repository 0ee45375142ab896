"""Budgets of one pool, with what is spent of them in the current period."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

from adapter.clock import Clock
from adapter.port import errors as port_errors
from adapter.privacy.secret import Redactor
from extension.engine.client_keys.client_keys import ClientKeys
from extension.engine.client_keys.errors import ClientKeyUnknown
from extension.engine.errors import AccountUnknown, EngineError
from extension.engine.pool.listing import PoolListing
from extension.store import budgets, events
from extension.store.budgets import BudgetPeriod, BudgetRecord, BudgetScope, BudgetTerms
from extension.store.database.database import Database, Transaction
from extension.store.records import EventKind
from extension.store.usage.collection import gaps_touching
from extension.store.usage.filtering import NamedFilter, Query
from extension.store.usage.names import NO_NAME, NameKind, find
from extension.store.usage.records import Figures, UsageFilter
from extension.store.usage.sums import sums
from extension.usage.calendar import HOUR_MS, Period, midnight

LEVELS: Final = (100, 80)
"""Percentages at which a budget is reported, the highest first."""


class BudgetUnknown(EngineError):  # noqa: N818 - as the other errors of the engine
    """There is no budget with that number."""

    code = "budget_unknown"

    def __init__(self, budget_id: int) -> None:
        super().__init__(f"There is no budget {budget_id}.", "Take a number from the list of budgets.")


@dataclass(frozen=True, slots=True)
class BudgetStatus:
    """A budget with its spend since the beginning of the period; `is_least` says that it may be more.

    `name` is that of the client key or account, empty for everything.
    """

    budget: BudgetRecord
    name: str
    since: int
    spent: int
    is_least: bool

    @property
    def percent(self) -> int:
        """Spend in percent of the budget, rounded down."""
        return self.spent * 100 // self.budget.pico_usd

    @property
    def due(self) -> int | None:
        """Level that was reached and not reported in this period; None without one."""
        level = next((level for level in LEVELS if self.percent >= level), 0)
        reported = self.budget.reported_percent if self.budget.reported_period == self.since else 0
        return level if level > reported else None


def period_start(period: BudgetPeriod, now: int) -> int:
    """Return the beginning of the day or month of a time, by UTC."""
    today = datetime.fromtimestamp(now / 1000, UTC).date()
    return midnight(today if period is BudgetPeriod.DAY else date(today.year, today.month, 1), UTC)


class Budgets:
    """Reads and changes the budgets of one pool; without `client_keys` only usage knows keys."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        redactor: Redactor,
        listing: PoolListing,
        client_keys: ClientKeys | None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._redactor = redactor
        self._listing = listing
        self._client_keys = client_keys

    async def all(self) -> Sequence[BudgetStatus]:
        """Return the budgets with their spend, the oldest first."""
        return await self._database.read(_statuses, self._listing.pool_id, self._clock.now_ms())

    async def put(self, terms: BudgetTerms, actor: str) -> None:
        """Store a budget in place of the one of the same requests and period.

        Raises:
            AccountUnknown: there is no such account.
            ClientKeyUnknown: neither usage nor the gateway knows that fingerprint.
            GatewayError: usage does not know it, and the gateway could not be asked.
        """
        pool_id = self._listing.pool_id
        if terms.scope is BudgetScope.CLIENT and not await self._knows(terms.subject):
            raise ClientKeyUnknown("client")

        def store(transaction: Transaction) -> None:
            if terms.scope is BudgetScope.ACCOUNT and budgets.account(transaction, pool_id, int(terms.subject)) is None:
                raise AccountUnknown([int(terms.subject)])
            budgets.put(transaction, pool_id, terms, self._redactor.redact(actor), self._clock.now_ms())
            self._announce(transaction)

        await self._database.write(store)

    async def _knows(self, client: str) -> bool:
        """Return whether usage or the gateway knows a client key by its fingerprint."""
        if await self._database.read(find, NameKind.CLIENT, client) is not None:
            return True
        try:
            keys = () if self._client_keys is None else await self._client_keys.listed()
        except port_errors.Unsupported:
            return False
        return client in {key.fingerprint for key in keys}

    async def remove(self, budget_id: int) -> None:
        """Forget a budget. Raises `BudgetUnknown`."""

        def forget(transaction: Transaction) -> None:
            if not budgets.remove(transaction, self._listing.pool_id, budget_id):
                raise BudgetUnknown(budget_id)
            self._announce(transaction)

        await self._database.write(forget)

    async def note_reported(self, status: BudgetStatus, percent: int) -> None:
        """Store that a level was reported in this period."""
        await self._database.write(budgets.note_reported, status.budget.id, percent, status.since)

    def _announce(self, transaction: Transaction) -> None:
        pool_id = self._listing.pool_id
        events.append(transaction, self._clock.now_ms(), EventKind.CLIENT_KEY, None, {}, pool_id=pool_id)


def _statuses(transaction: Transaction, pool_id: int, now: int) -> Sequence[BudgetStatus]:
    return [_status(transaction, pool_id, budget, now) for budget in budgets.every(transaction, pool_id)]


def _status(transaction: Transaction, pool_id: int, budget: BudgetRecord, now: int) -> BudgetStatus:
    name, client, account = "", None, None
    if budget.scope is BudgetScope.CLIENT:
        client, name = budget.subject, budgets.client_name(transaction, budget.subject)
    elif budget.scope is BudgetScope.ACCOUNT:
        account, name = budgets.account(transaction, pool_id, int(budget.subject)) or ("", budget.subject)
    since = period_start(budget.period, now)
    # To the end of an hour, so that rollups alone are read.
    period = Period(since, (now // HOUR_MS + 1) * HOUR_MS)
    named = NamedFilter(transaction, pool_id, UsageFilter(client=client, account=account))
    query = Query(pool_id, named, NameKind.TOTAL, latencies=False, buckets=False)
    figures = sums(transaction, query, period).get(NO_NAME, Figures())
    lacks = figures.priced < figures.requests or figures.incomplete > 0
    is_least = lacks or bool(gaps_touching(transaction, pool_id, since, now, 1))
    return BudgetStatus(budget, name, since, figures.pico_usd, is_least)
