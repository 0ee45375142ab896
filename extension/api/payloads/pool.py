"""The pool in requests and answers: accounts in full and as a table, their last results, and deleted files."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any, Final, Self

from pydantic import Field

from extension.api.payloads.payload import Payload, ReasonView, RowId
from extension.api.payloads.results import ResultView
from extension.engine.pool.listed_account import DisabledBy, PoolAccount, PoolView, switch_refusal
from extension.engine.pool.overview import PoolTable
from extension.engine.pool.table import PoolRow
from extension.reasons.reason import ReasonList
from extension.store.deleted_files import DeletedFile
from extension.store.pool.overview import LastAction
from extension.store.records import AccountFacts

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
_STATE: Final = ("enabled", "runtime_only", "listed", "probeable")
_KEPT: Final = "slim"

AccountIds = Annotated[tuple[RowId, ...], Field(min_length=1, max_length=20_000)]
"""Our numbers of accounts, as `poolkeeper/pool` answers them."""

ReleasedIds = Annotated[tuple[RowId, ...], Field(max_length=20_000)]
"""Accounts to be changed although that change is on hold."""

Background = Annotated[bool, Field(strict=True)]
AcceptLoss = Annotated[bool, Field(strict=True)]
"""Consent to what the change drops from config.yaml; without it such a change is 409."""
"""Wish for an answer as soon as the batch is stored, instead of at its end."""


class StatisticsView(Payload):
    """The capsule: how many accounts are in scope, and how many of them are known to be enabled or disabled."""

    total: int
    enabled: int
    disabled: int


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
    def of(cls, record: DisabledBy | LastAction) -> Self:
        """Show the engine's record, or the row of the table."""
        kind, action = (
            (record.kind, record.action_id) if isinstance(record, DisabledBy) else (record.actor_kind, record.id)
        )
        return cls.showing(record, kind=kind, action=action)


class AccountView(Payload):
    """One account: its identity, its possible actions, and its last result.

    `keyHint` is the masked key, empty for an OAuth file; `place` is the entry's place in the
    configuration, or the file.

    `enabled` is null when the gateway does not say. `entries` counts the entries with its base URL and key.
    `switch` names the place a status change would write to, `switchReason` why there is none; likewise for `deletable`.
    `neverProbe` keeps runs from probing it, `managed` lets automation enable it again after a person disabled it,
    `protected` keeps automation from changing it.
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
    protected: bool

    @classmethod
    def of(cls, account: PoolAccount) -> Self:
        """Show an account of the pool."""
        return cls(
            **_identity(account.facts, account.switch_refusal),
            **{name: getattr(account, name) for name in (*_STATE, "id", "entries", "switch")},
            deletable=account.deletable,
            disabled_by=DisabledByView.of(account.disabled_by) if account.disabled_by else None,
            last_result=ResultView.of(account.last_result) if account.last_result else None,
            never_probe=account.record.never_probe,
            managed=account.record.managed,
            protected=account.record.protected,
        )


class SlimResultView(Payload):
    """The last result of an account without evidence; `inspections/results?run=…&after=seq-1&limit=1` has all of it."""

    seq: int
    run: int
    account: int
    verdict: str
    action: str
    reason: str
    reasons: tuple[ReasonView, ...]
    status: int | None
    latency_ms: int | None
    at: int
    resets_at: int | None


class SlimAccountView(AccountView):
    """One account as in AccountView, with a last result without evidence.

    `onHold` says that the circuit breaker stopped the change its last result recommends.
    """

    last_result: SlimResultView | None  # type: ignore[assignment]  # a part of the other, at the same place
    on_hold: bool

    @classmethod
    def of_row(cls, row: PoolRow) -> Self:
        """Show a row of the table."""
        listed = row.listed
        return cls(
            **_identity(listed.facts, switch_refusal(listed.account)),
            **{name: getattr(listed.account, name) for name in _STATE},
            id=listed.id,
            entries=row.entries,
            switch=listed.account.switch.value,
            deletable=listed.file is not None,
            disabled_by=DisabledByView.of(row.disabled_by) if row.disabled_by else None,
            last_result=SlimResultView.showing(row.result) if row.result else None,
            never_probe=row.flags.never_probe,
            managed=row.flags.managed,
            protected=row.flags.protected,
            on_hold=row.on_hold,
        )

    @classmethod
    def encoded(cls, row: PoolRow) -> bytes:
        """Encode a row; of ten thousand a few change at a time, and the others are taken as they were."""
        encoded_row = row.kept.get(_KEPT)
        if encoded_row is None:
            encoded_row = row.kept[_KEPT] = cls.of_row(row).model_dump_json(by_alias=True).encode()
        return encoded_row


def _identity(facts: AccountFacts, refusal: ReasonList) -> dict[str, Any]:
    return {
        "account_source": facts.source,
        **{name: getattr(facts, name) for name in _FACTS},
        "switch_reason": refusal.text,
        "switch_reasons": ReasonView.all_of(refusal),
    }


class SkippedView(Payload):
    """An entry of the gateway's listing that is not an account, and why."""

    name: str
    reason: str


class PoolAnswer(Payload):
    """The accounts in scope, read from the gateway at `readAt` (milliseconds UTC)."""

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
            statistics=StatisticsView.showing(pool.statistics),
            accounts=tuple(AccountView.of(account) for account in pool.accounts),
            skipped=tuple(SkippedView.showing(entry) for entry in pool.skipped),
        )

    @classmethod
    def encoded(cls, pool: PoolView) -> bytes:
        """Encode the pool account by account: a large one as a whole would keep every other thread waiting."""
        accounts = (AccountView.of(account).model_dump_json(by_alias=True).encode() for account in pool.accounts)
        return _with_accounts(cls.of(replace(pool, accounts=())), accounts)


def _with_accounts(answer: Payload, accounts: Iterable[bytes]) -> bytes:
    head = answer.model_dump_json(by_alias=True, exclude={"accounts"}).encode()
    return b"".join((head[:-1], b',"accounts":[', b",".join(accounts), b"]}"))


class StatusRequest(Payload):
    """Disable (`disabled` true) or enable accounts; `reason` is kept with each action.

    Accounts on hold are left out, but for those that `released` names. With `background` the answer comes as soon as
    the batch is stored.
    """

    accounts: AccountIds
    disabled: Annotated[bool, Field(strict=True)]
    reason: Annotated[str, Field(max_length=500)] = ""
    released: ReleasedIds = ()
    background: Background = False
    accept_loss: AcceptLoss = False


class DeleteRequest(Payload):
    """Delete the files of OAuth accounts; a single API key among them refuses the whole request."""

    accounts: AccountIds
    reason: Annotated[str, Field(max_length=500)] = ""
    released: ReleasedIds = ()
    background: Background = False


class FlagsRequest(Payload):
    """Set flags of accounts: excluded from checks, managed by automation, protected from it; absent ones stay."""

    accounts: AccountIds
    never_probe: Annotated[bool, Field(strict=True)] | None = None
    managed: Annotated[bool, Field(strict=True)] | None = None
    protected: Annotated[bool, Field(strict=True)] | None = None


class SlimPoolAnswer(Payload):
    """The accounts in scope that match, read from the gateway at `readAt` (milliseconds UTC), without evidence.

    `statistics` counts the accounts in scope, `matching` those that meet the conditions as well. `next` is the `offset`
    of the next page, null on the last one.
    """

    revision: str
    read_at: int
    statistics: StatisticsView
    matching: int
    next: int | None
    accounts: tuple[SlimAccountView, ...]
    skipped: tuple[SkippedView, ...]

    @classmethod
    def encoded(cls, table: PoolTable, rows: Iterable[PoolRow], matching: int, following: int | None) -> bytes:
        """Encode a page of a table."""
        head = cls.showing(
            table,
            statistics=StatisticsView.showing(table.statistics),
            matching=matching,
            next=following,
            accounts=(),
            skipped=tuple(SkippedView.showing(entry) for entry in table.skipped),
        )
        return _with_accounts(head, map(SlimAccountView.encoded, rows))


class RecentView(Payload):
    """One result of an account, without evidence. `status` is 0 when no answer came, null when no probe was sent."""

    run: int
    at: int
    verdict: str
    status: int | None
    latency_ms: int | None


class RecentAccountView(Payload):
    """Results of one account, the newest first."""

    account: int
    results: tuple[RecentView, ...]


class RecentAnswer(Payload):
    """Accounts that have results; the others are left out."""

    accounts: tuple[RecentAccountView, ...]


class DeletedFileView(Payload):
    """A deleted file whose content is kept until `keptUntil` (milliseconds UTC); the content is never answered."""

    account: int
    name: str
    deleted_at: int
    kept_until: int


class DeletedFilesAnswer(Payload):
    """Deleted files that can be restored, the newest first."""

    files: tuple[DeletedFileView, ...]

    @classmethod
    def of(cls, records: Iterable[DeletedFile]) -> Self:
        """Show the records of copies."""
        return cls(files=tuple(DeletedFileView.showing(record) for record in records))


class RestoreRequest(Payload):
    """Restore the deleted files of accounts."""

    accounts: AccountIds
    reason: Annotated[str, Field(max_length=500)] = ""
    background: Background = False
