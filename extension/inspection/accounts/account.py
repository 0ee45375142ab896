"""Accounts as the inspection sees them: their source, their shown name, which are in scope, and how many there are."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Protocol

from adapter.port import Account, KeyRef
from adapter.privacy.secret import Redactor
from extension.inspection.accounts.families import FAMILIES, Family, family_of
from extension.inspection.accounts.place import place_text


class Source(StrEnum):
    """The two sources of accounts; the tokens are fixed."""

    OAUTH = "oauth"
    API_KEY = "api_key"


class Scope(Protocol):
    """Selection of accounts; the settings of a run are one."""

    @property
    def account_source(self) -> Source:
        """The source whose accounts are in scope."""

    @property
    def target_type(self) -> str:
        """A family token under the API-key source, a provider id under OAuth, or ``all``."""

    @property
    def provider_filter(self) -> str:
        """Text an API-key account must contain in one of five fields; empty for all. No effect under OAuth."""


@dataclass(frozen=True, slots=True)
class Selection:
    """A scope by itself, for looking at the pool without starting a run."""

    account_source: Source = Source.OAUTH
    target_type: str = Family.ALL.value
    provider_filter: str = ""


@dataclass(frozen=True, slots=True)
class Statistics:
    """The numbers of the capsule. Accounts whose state the gateway does not tell are in ``total`` only."""

    total: int
    enabled: int
    disabled: int


API_KEY_KINDS = frozenset({"api_key", "apikey"})
"""Values of ``auth_kind`` for an API-key credential, in the two spellings that gateways use."""

KNOWN_API_KEY_PROVIDERS = frozenset(provider for row in FAMILIES.values() for provider in row.providers)
"""Provider ids that mean an API key by themselves. A vendor's plain name is none: OAuth files carry it too."""

_COMPAT_PREFIXES = FAMILIES[Family.COMPAT].prefixes
_NAMELESS = Redactor()


def is_api_key(account: Account) -> bool:
    """Apply the predicate of API-key accounts, which does not consider files."""
    provider = account.provider.strip().lower()
    return (
        account.runtime_only
        or provider.startswith(_COMPAT_PREFIXES)
        or "apikey" in provider
        or provider in KNOWN_API_KEY_PROVIDERS
        or account.auth_kind.strip().lower() in API_KEY_KINDS
    )


def classify(account: Account) -> Source:
    """Say which source an account belongs to; every account belongs to exactly one.

    ``runtime_only`` comes first, so that no file collides with a synthesized credential; then a file, or an account
    that says so, is OAuth, whatever its provider; then the predicate; then a reference into the configuration.
    """
    if account.runtime_only:
        return Source.API_KEY
    if account.source_kind == "file" or account.account_type.strip().lower() == Source.OAUTH:
        return Source.OAUTH
    if is_api_key(account) or isinstance(account.ref, KeyRef):
        return Source.API_KEY
    return Source.OAUTH


def display_name(account: Account, redactor: Redactor = _NAMELESS) -> str:
    """Return the label, else the compatible provider's name, else the provider; whatever looks like a key is hidden.

    ``redactor`` may know secrets to hide beyond those that show by their shape.
    """
    chosen = next((name for name in (account.label, account.compat_name, account.provider) if name.strip()), "")
    return redactor.redact(chosen.strip())


def matches(account: Account, provider_filter: str) -> bool:
    """Return whether the filter is part of provider, names, base address, file name, key hint or place, in any case."""
    needle = provider_filter.strip().casefold()
    fields = (
        account.provider,
        account.label,
        account.compat_name,
        account.base_url or "",
        account.file_name,
        account.key_hint,
        place_text(account),
    )
    return any(needle in text.casefold() for text in fields)


def in_scope(account: Account, scope: Scope) -> bool:
    """Return whether one account is chosen by source, then type or family, then filter."""
    if classify(account) is not scope.account_source:
        return False
    everything = scope.target_type == Family.ALL
    if scope.account_source is Source.OAUTH:
        return everything or account.provider.strip().lower() == scope.target_type.strip().lower()
    return (everything or family_of(account) == scope.target_type) and matches(account, scope.provider_filter)


def sample(accounts: Sequence[Account], size: int, random: Random) -> tuple[Account, ...]:
    """Return ``size`` of the accounts by chance, in their order; all of them when ``size`` is 0 or not smaller."""
    if size == 0 or size >= len(accounts):
        return tuple(accounts)
    chosen = sorted(random.sample(range(len(accounts)), size))
    return tuple(accounts[index] for index in chosen)


def statistics(states: Iterable[bool | None]) -> Statistics:
    """Count accounts for the capsule by their state, hidden ones included."""
    known = list(states)
    return Statistics(total=len(known), enabled=known.count(True), disabled=known.count(False))
