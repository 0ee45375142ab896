"""The pool as an operator sees it, one line per account, free of secrets."""

from dataclasses import dataclass

from extension.inspection.accounts.account import Statistics
from extension.inspection.evidence.action import Action
from extension.reasons.reason import ReasonList
from extension.store.records import AccountFacts, AccountRecord, ActionRecord, ActorKind, ResultRecord


@dataclass(frozen=True, slots=True)
class DisabledBy:
    """Actor, time (milliseconds UTC), reason and id of the action that disabled an account."""

    kind: ActorKind
    actor: str
    at: int
    reason: ReasonList
    action_id: int


def disabled_by(enabled: bool | None, last: ActionRecord | None) -> DisabledBy | None:
    """Attribute a disabled account to `last`, the last of our actions that took effect on it.

    None means that the account is not disabled, or that our last action on it was not a disable.
    """
    if enabled is not False or last is None or last.action != Action.DISABLE:
        return None
    return DisabledBy(last.actor_kind, last.actor, last.at, last.reason, last.id)


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
