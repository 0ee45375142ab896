"""What `Inspector.pool` answers: the pool as an operator sees it, one line a credential, free of secrets."""

from dataclasses import dataclass

from extension.inspection.accounts.account import Statistics
from extension.store.records import ActorKind, ResultRecord


@dataclass(frozen=True, slots=True)
class DisabledBy:
    """Who disabled an account that is disabled now, as far as our own actions tell; `at` in milliseconds UTC."""

    kind: ActorKind
    actor: str
    at: int
    reason: str
    action_id: int


@dataclass(frozen=True, slots=True)
class PoolAccount:
    """One credential of the pool.

    `id` is our stable number of it. `enabled` is None when the gateway does not say. `entries` counts the places of the
    configuration that hold it: the same key twice is one credential, probed once and switched everywhere.
    `switch` is the port's token of what a status change writes, `switch_reason` why there is none. `deletable` is true
    for OAuth files alone; `delete_reason` says why not. `disabled_by` is None when enabled, or when it was not us.
    `never_probe` keeps runs from probing it; `handed_over` lets automation enable it whoever disabled it.
    """

    id: int
    account_source: str
    family: str
    display_name: str
    provider: str
    label: str
    compat_name: str
    base_url: str
    file_name: str
    enabled: bool | None
    runtime_only: bool
    listed: bool
    probeable: bool
    entries: int
    switch: str
    switch_reason: str
    deletable: bool
    delete_reason: str
    disabled_by: DisabledBy | None
    last_result: ResultRecord | None
    never_probe: bool = False
    handed_over: bool = False


@dataclass(frozen=True, slots=True)
class SkippedEntry:
    """An entry of the gateway's listing that is not an account, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class PoolView:
    """The accounts in scope, with the capsule's numbers; `read_at` in milliseconds UTC."""

    revision: str
    read_at: int
    statistics: Statistics
    accounts: tuple[PoolAccount, ...]
    skipped: tuple[SkippedEntry, ...]
