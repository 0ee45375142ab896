"""Listed accounts: an entry of the gateway with its number and stored facts, and the pool as an operator sees it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from adapter.port import Account, AccountRef, FileRef, KeyRef, Switch
from adapter.privacy.secret import Redactor
from extension.inspection.accounts.account import Source, Statistics, classify, display_name
from extension.inspection.accounts.families import family_of
from extension.inspection.accounts.place import place_text
from extension.inspection.evidence.action import Action
from extension.inspection.requests.addresses import shown_address
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, Reason, ReasonList, because
from extension.store.pool.recognition import NUMBER_MARK, identity
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


@dataclass(frozen=True, slots=True)
class ListedAccount:
    """One account of the pool: our number, its stored facts, and its entry as just read."""

    id: int
    source: Source
    facts: AccountFacts
    account: Account

    @property
    def enabled(self) -> bool | None:
        """Return whether it is in use; None when the gateway does not tell."""
        return self.account.enabled

    @property
    def revisions(self) -> tuple[str, ...]:
        """Mark of the entry, as it is stored with results: it changes whenever the entry does."""
        return (str(self.account.revision),)

    @property
    def switchable(self) -> bool:
        """Return whether a status change can be written for it."""
        return self.account.switch is not Switch.NONE

    @property
    def file(self) -> FileRef | None:
        """Its OAuth file; None for an API key, which is nothing that can be deleted."""
        ref = self.account.ref
        return ref if self.source is Source.OAUTH and isinstance(ref, FileRef) else None


def facts_of(account: Account, redactor: Redactor) -> AccountFacts:
    """Return the facts that are stored of an account, free of secrets."""
    source, ref = classify(account), account.ref
    family = family_of(account) if source is Source.API_KEY else None
    return AccountFacts(
        source=source.value,
        fingerprint=account.fingerprint,
        auth_index=account.auth_index,
        gateway_id=redactor.redact(account.names[0]) if account.names else "",
        family=family.value if family else "",
        display_name=display_name(account, redactor),
        provider=redactor.redact(account.provider),
        label=redactor.redact(account.label),
        compat_name=redactor.redact(account.compat_name),
        base_url=redactor.redact(shown_address(account.base_url or "")),
        file_name=redactor.redact(account.file_name),
        section=ref.section.value if isinstance(ref, KeyRef) and ref.section else "",
        discriminator=account.discriminator,
        key_mark=account.key_mark,
        vendor_mark=account.vendor_mark,
        key_hint=account.key_hint,
        place=redactor.redact(ref.name) if isinstance(ref, FileRef) else place_text(account),
    )


def name_of(ref: AccountRef) -> str:
    """Return the name of an entry, as recorded with an action."""
    if isinstance(ref, FileRef):
        return ref.name
    return f"{ref.section or 'memory'}:{ref.entry_id}"


def numbered(accounts: Sequence[Account], facts: Mapping[Account, AccountFacts]) -> Mapping[Account, AccountFacts]:
    """Number the entries that are identical in everything, in the order of the configuration."""
    counts = Counter(identity(facts[account]) for account in accounts)
    if len(counts) == len(accounts):
        return facts
    # A gateway lists entries of switched-off providers last, so its own order is not that of the configuration.
    ordered = sorted(accounts, key=lambda account: -1 if account.place is None else account.place)
    seen: Counter[object] = Counter()
    numbered_facts = dict(facts)
    for account in ordered:
        own = facts[account]
        which = identity(own)
        if counts[which] > 1:
            mark = f"{own.discriminator}{NUMBER_MARK}{seen[which]}" if seen[which] else own.discriminator
            seen[which] += 1
            numbered_facts[account] = replace(own, discriminator=mark, identical=counts[which])
    return numbered_facts


def switch_refusal(account: Account) -> ReasonList:
    """Return why nothing can enable or disable an account from here; nothing where something can."""
    if account.switch is not Switch.NONE:
        return NO_REASON
    if account.switch_code == "several_keys":
        return because(ReasonCode.SEVERAL_KEYS, provider=account.compat_name, count=account.provider_keys)
    if account.switch_code == "stock_profile":
        return because(ReasonCode.STOCK_PROFILE)
    return ReasonList((Reason(ReasonCode.NO_OWN_SWITCH),), account.switch_reason)
