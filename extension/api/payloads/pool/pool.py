"""The pool as answered, and the changes that may be asked of it."""

from dataclasses import replace
from typing import Annotated, Final, Self

from pydantic import Field

from extension.api.payloads.payload import Payload, RowId
from extension.api.payloads.reason import ReasonView
from extension.api.payloads.runs.result import ResultView
from extension.engine.pool.views import DisabledBy, PoolAccount, PoolView, SkippedEntry
from extension.inspection.accounts.account import Statistics

_FACTS: Final = (
    "family",
    "display_name",
    "key_hint",
    "place",
    "provider",
    "label",
    "compat_name",
    "base_url",
    "file_name",
)
"""Fields of an account that are answered as they are remembered."""

AccountIds = Annotated[tuple[RowId, ...], Field(min_length=1, max_length=20_000)]
"""Our numbers of accounts, as `poolkeeper/pool` answers them."""


class StatisticsView(Payload):
    """The capsule: how many accounts are in scope, and how many of them are known to be enabled or disabled."""

    total: int
    enabled: int
    disabled: int

    @classmethod
    def of(cls, statistics: Statistics) -> Self:
        """Show counted accounts."""
        return cls.showing(statistics)


class DisabledByView(Payload):
    """The action that disabled an account: actor, time (milliseconds UTC) and reason, from our own action log.

    `reasons` are the codes of the reason, none for the note of a person.
    """

    kind: str
    actor: str
    at: int
    reason: str
    reasons: tuple[ReasonView, ...]
    action: int

    @classmethod
    def of(cls, record: DisabledBy) -> Self:
        """Show the engine's record."""
        reasons = ReasonView.all_of(record.reason)
        return cls.showing(record, action=record.action_id, reason=record.reason.text, reasons=reasons)


class AccountView(Payload):
    """One account: its identity, its possible actions, and its last result.

    `keyHint` is the masked key, empty for an OAuth file; `place` is the entry's place in the
    configuration, or the file.

    `enabled` is null when the gateway does not say. `entries` counts the entries with its base URL and key.
    `switch` names the place a status change would write to, `switchReason` why there is none; likewise for `deletable`.
    `neverProbe` keeps runs from probing it, `managed` lets automation enable it again after a person disabled it.
    """

    id: int
    account_source: str
    family: str
    display_name: str
    key_hint: str
    place: str
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
    switch_reasons: tuple[ReasonView, ...]
    deletable: bool
    disabled_by: DisabledByView | None
    last_result: ResultView | None
    never_probe: bool
    managed: bool

    @classmethod
    def of(cls, account: PoolAccount) -> Self:
        """Show an account of the pool."""
        facts, record = account.facts, account.record
        return cls.showing(
            account,
            account_source=facts.source,
            **{name: getattr(facts, name) for name in _FACTS},
            switch_reason=account.switch_refusal.text,
            switch_reasons=ReasonView.all_of(account.switch_refusal),
            never_probe=record.never_probe,
            managed=record.managed,
            disabled_by=DisabledByView.of(account.disabled_by) if account.disabled_by else None,
            last_result=ResultView.of(account.last_result) if account.last_result else None,
        )


class SkippedView(Payload):
    """An entry of the gateway's listing that is not an account, and why."""

    name: str
    reason: str

    @classmethod
    def of(cls, entry: SkippedEntry) -> Self:
        """Show a skipped entry."""
        return cls.showing(entry)


class PoolAnswer(Payload):
    """The accounts in scope, read from the gateway at `readAt` (milliseconds UTC).

    Where nothing has changed since, `readAt` may be ten seconds before the last reading.
    """

    revision: str
    read_at: int
    statistics: StatisticsView
    accounts: tuple[AccountView, ...]
    skipped: tuple[SkippedView, ...]

    @classmethod
    def of(cls, pool: PoolView) -> Self:
        """Show the pool."""
        return cls.showing(
            pool,
            statistics=StatisticsView.of(pool.statistics),
            accounts=tuple(AccountView.of(account) for account in pool.accounts),
            skipped=tuple(SkippedView.of(entry) for entry in pool.skipped),
        )

    @classmethod
    def encoded(cls, pool: PoolView) -> bytes:
        """Encode the pool account by account: a large one as a whole would keep every other thread waiting."""
        head = cls.of(replace(pool, accounts=())).model_dump_json(by_alias=True, exclude={"accounts"}).encode()
        accounts = (AccountView.of(each).model_dump_json(by_alias=True).encode() for each in pool.accounts)
        return b"".join((head[:-1], b',"accounts":[', b",".join(accounts), b"]}"))


class StatusRequest(Payload):
    """Disable (`disabled` true) or enable accounts; `reason` is kept with each action.

    Accounts on hold are left out, but for those that `released` names. With `background` the answer comes as soon as
    the batch is stored.
    """

    accounts: AccountIds
    disabled: Annotated[bool, Field(strict=True)]
    reason: Annotated[str, Field(max_length=500)] = ""
    released: Annotated[tuple[RowId, ...], Field(max_length=20_000)] = ()
    background: Annotated[bool, Field(strict=True)] = False


class DeleteRequest(Payload):
    """Delete the files of OAuth accounts; a single API key among them refuses the whole request."""

    accounts: AccountIds
    reason: Annotated[str, Field(max_length=500)] = ""
    released: Annotated[tuple[RowId, ...], Field(max_length=20_000)] = ()
    background: Annotated[bool, Field(strict=True)] = False


class FlagsRequest(Payload):
    """Set flags of accounts: excluded from checks, managed by automation; absent flags stay as they are."""

    accounts: AccountIds
    never_probe: Annotated[bool, Field(strict=True)] | None = None
    managed: Annotated[bool, Field(strict=True)] | None = None
