"""Credentials: the accounts of a pool with the same fingerprint, taken as one.

The same key can stand in several places of a configuration. It is probed once, and a status change goes to every place,
because a key that stays in use elsewhere is not disabled.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from adapter.port import Account, FileRef, Switch
from adapter.privacy.secret import Redactor
from extension.inspection.accounts.account import Source, classify, display_name
from extension.inspection.accounts.families import family_of
from extension.inspection.requests.addresses import shown_address
from extension.store.pool.accounts import Identity
from extension.store.records import AccountFacts


@dataclass(frozen=True, slots=True)
class Credential:
    """One credential of the pool: our number, its stored facts, and the entries that hold it now."""

    id: int
    source: Source
    facts: AccountFacts
    members: tuple[Account, ...]

    @property
    def account(self) -> Account:
        """Representative entry: the first that can be probed, else the first."""
        return next((member for member in self.members if member.probeable), self.members[0])

    @property
    def enabled(self) -> bool | None:
        """True when it is in use anywhere, False when nowhere, None when the gateway does not tell."""
        states = {member.enabled for member in self.members}
        if True in states:
            return True
        return None if None in states else False

    @property
    def revisions(self) -> tuple[str, ...]:
        """The marks of the places that hold it, in their order: they change whenever one of them does."""
        return tuple(str(member.revision) for member in self.members)

    @property
    def switchable(self) -> bool:
        """Whether a status change can be written for every place that holds it."""
        return all(member.switch is not Switch.NONE for member in self.members)

    @property
    def files(self) -> tuple[FileRef, ...]:
        """The OAuth files that hold it: empty for an API key, which is nothing that can be deleted."""
        refs = tuple(member.ref for member in self.members)
        files = tuple(ref for ref in refs if isinstance(ref, FileRef))
        return files if self.source is Source.OAUTH and len(files) == len(refs) else ()


def facts_of(account: Account, redactor: Redactor) -> AccountFacts:
    """Return the facts that are stored of an account, free of secrets."""
    source = classify(account)
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
    )


def grouped(accounts: Iterable[Account]) -> Mapping[Identity, tuple[Account, ...]]:
    """Put accounts of one source and fingerprint together, in the order of the pool."""
    groups: dict[Identity, list[Account]] = {}
    for account in accounts:
        groups.setdefault((classify(account).value, account.fingerprint), []).append(account)
    return {which: tuple(members) for which, members in groups.items()}
