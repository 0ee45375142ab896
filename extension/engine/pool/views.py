"""The pool as an operator sees it, one line per account, free of secrets."""

from dataclasses import dataclass

from extension.engine.pool.disabled_by import DisabledBy
from extension.inspection.accounts.account import Statistics
from extension.reasons.reason import ReasonList
from extension.store.records import AccountFacts, AccountRecord, ResultRecord


@dataclass(frozen=True, slots=True)
class PoolAccount:
    """One account of the pool: its stored record, and its state as just read.

    `enabled` is None when the gateway does not report it. `entries` counts the entries of the gateway with this
    base URL and key, each an account of its own. `switch` is the port's token of the write of a status change,
    `switch_refusal` why there is none. Only OAuth files are `deletable`.
    `disabled_by` is None unless the last of our actions disabled the account and it is still disabled.
    """

    record: AccountRecord
    enabled: bool | None
    runtime_only: bool
    listed: bool
    probeable: bool
    entries: int
    switch: str
    switch_refusal: ReasonList
    deletable: bool
    disabled_by: DisabledBy | None
    last_result: ResultRecord | None

    @property
    def id(self) -> int:
        """Stable number of the account."""
        return self.record.id

    @property
    def facts(self) -> AccountFacts:
        """Names and addresses of the account, free of secrets."""
        return self.record.facts


@dataclass(frozen=True, slots=True)
class SkippedEntry:
    """Entry of the gateway's listing that is not an account, with the reason."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class PoolView:
    """Accounts in scope with their counts; `read_at` in milliseconds UTC."""

    revision: str
    read_at: int
    statistics: Statistics
    accounts: tuple[PoolAccount, ...]
    skipped: tuple[SkippedEntry, ...]
