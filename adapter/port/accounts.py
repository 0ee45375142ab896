"""Accounts: the pool as it is, and the role that lists and switches it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Protocol

from adapter.port.changes import Change, Outcome
from adapter.port.section import AccountRef, FileRef, Revision
from adapter.privacy.secret import Secret

SourceKind = Literal["file", "memory", "config", ""]
"""Origin of a credential according to the gateway: an auth file, its memory, the configuration, or not stated."""


NoProbeCode = Literal["no_key", "keyless", ""]
"""`no_key`: the entry holds a blank key. `keyless`: a compatible provider without key entries, called without a key."""

NoSwitchCode = Literal["several_keys", "stock_profile", ""]
"""`several_keys`: one switch serves two or more keys of a compatible provider. `stock_profile`: the gateway's stock
profile switches no compatible provider."""


class Switch(StrEnum):
    """The place a status change of an account writes to."""

    FILE = "file"
    """`disabled` in the account's own file."""
    MEMORY = "memory"
    """`disabled` of an account that lives in the gateway's memory only; it lasts as long as the account does."""
    ENTRY = "entry"
    """`*` in the `excluded-models` of the account's own configuration entry."""
    PROVIDER = "provider"
    """`disabled` of the whole compatible provider, which has fewer than two non-empty keys."""
    NONE = "none"
    """Nothing: it cannot be switched from here, and `switch_reason` says why."""


@dataclass(frozen=True, slots=True)
class Activity:
    """The gateway's own counters of an account since it started."""

    successes: int = 0
    failures: int = 0
    cooling_until: int | None = None
    """End of a credential-wide cool-down, integer milliseconds UTC; None when it does not cool down."""


@dataclass(frozen=True, slots=True)
class Account:
    """One credential of the pool. It never holds the key.

    Two accounts may share a fingerprint and an auth_index, when base URL and key are the same in one section. They stay
    two accounts, switched one by one; with an equal `route` one probe answers for both.
    """

    ref: AccountRef
    fingerprint: str
    """Lower-case hex HMAC-SHA-256 over (section, base URL, key), or over the relative file name; keyed with the
    installation key, so it is stable here and useless elsewhere."""
    auth_index: str
    """The gateway's 16-hex-digit handle; empty when the account is not live."""
    names: tuple[str, ...]
    """Candidates for a status change, without doubles, in the order of the attempts: id, file name, auth_index, base
    name of the id."""
    provider: str
    label: str
    compat_name: str
    base_url: str | None
    """The upstream base URL as configured, without user information; None when there is none."""
    enabled: bool | None
    """None: the gateway does not say."""
    runtime_only: bool
    listed: bool
    """True while the gateway's own list of credentials has it, which leaves out switched-off compatible providers."""
    probeable: bool
    """True while the gateway has it live, so that `call` can use its credential."""
    switch: Switch
    switch_reason: str
    """Reason for `switch` to be NONE, one line for people; empty otherwise."""
    revision: Revision
    """Changes whenever the account's state, address or credential changes; the `expect` of a change or deletion."""
    activity: Activity = Activity()
    models: tuple[str, ...] = ()
    """Models the entry itself names, in its order; empty when it takes the provider's catalogue."""
    source_kind: SourceKind = ""
    account_type: str = ""
    """`oauth`, `api_key`, or empty, as the gateway says it."""
    auth_kind: str = ""
    """`api_key`, `apikey`, `oauth`, or empty, as the gateway says it."""
    file_name: str = ""
    """The entry's file name; for runtime entries empty or equal to the id."""
    no_probe: NoProbeCode = ""
    """Reason why a call can prove nothing about a key even while the account is live; empty when one can."""
    switch_code: NoSwitchCode = ""
    """The code of `switch_reason`."""
    provider_keys: int = 0
    """Keys of its compatible provider that are not blank; 0 for other accounts."""
    vendor_account: str = ""
    """The vendor's own id of the account behind an OAuth file, no secret; empty when the gateway does not tell."""
    vendor_project: str = ""
    """The vendor's id of the project an OAuth file works in, no secret; empty when the gateway does not tell."""
    discriminator: str = ""
    """Keyed hash of proxy, prefix and headers, which tells entries with the same key apart; empty where there is none
    of them."""
    route: str = ""
    """Keyed hash of proxy and headers, the part of the entry that a call depends on besides base URL and key."""
    proxy: str = ""
    """Keyed hash of the account's own proxy, which accounts of other hosts may share; empty without one."""
    detached: bool = False
    """True for a key of a switched-off compatible provider that `call` can use all the same: the gateway does not have
    it live, so that the key is taken from its entry, inside the adapter, and sent through the entry's own proxy."""
    place: int | None = None
    """Zero-based place of the configuration entry in its section; None for a file or a runtime entry."""
    key_place: int | None = None
    """Zero-based place of the key among the key entries of its compatible provider; None for any other account."""
    unread: bool = False
    """True for a file that the gateway neither describes in full nor gives out, so that its base URL is unknown."""
    key_hint: str = ""
    """Masked form of the key for people, at most four characters of either end; empty for a file or without a key."""
    key_mark: str = ""
    """Keyed hash of the key alone, the same at every gateway of an installation; empty for a file or without a key."""
    vendor_mark: str = ""
    """Keyed hash of the vendor's account behind an OAuth file; empty where the gateway does not tell it."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A listed entry that is no account, because it has no auth_index, with the reason."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Pool:
    """The whole pool at one moment, switched-off providers' keys included, under one revision."""

    revision: Revision
    read_at: int
    """Integer milliseconds UTC."""
    accounts: tuple[Account, ...]
    skipped: tuple[Skipped, ...] = ()


def counted_requests(accounts: Iterable[Account]) -> Mapping[str, int]:
    """Sum up the requests of accounts by the gateway's index, which accounts with the same key share."""
    counted: Counter[str] = Counter()
    for account in accounts:
        if account.auth_index:
            counted[account.auth_index] += account.activity.successes + account.activity.failures
    return counted


class Accounts(Protocol):
    """The role that lists the pool and switches its accounts."""

    async def accounts(self) -> Pool:
        """Return the whole pool in one revision.

        Keys of switched-off compatible providers are in it, read from the configuration: `enabled=False,
        listed=False, probeable=False`. They count, can be enabled, and can be called where they are `detached`.

        Raises:
            GatewayError: the pool could not be read; `applied` is always "no".
        """

    async def request_counts(self) -> Mapping[str, int]:
        """Return how many requests the gateway counted since it started, by `auth_index`, as `accounts` has them.

        A gateway elsewhere reads its counters alone, not the pool, unless these are of an account it has not read yet.

        Raises:
            GatewayError: they could not be read.
        """

    async def set_disabled(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
        """Switch accounts off or on, persistently; one outcome per change, in the order of the input.

        - Of several changes to one ref the last wins, and the earlier ones get its outcome.
        - There is at most one write per section; a refused change never stops the others.
        - A compatible provider with two or more non-empty (trimmed) keys is `Refused` before any request.
        - `Change.expect` that is not the account's revision is `Conflict`, and nothing is written for that change.
        - An account that is already as asked is `Unchanged`; one that is no longer there is `Missing`.
        - With `Change.restore` the account means what it meant before the change that is taken back, its switch
          gone again where it was not written; with `Capability.EXACT_RESTORE` to the byte. Where another client has
          written there since, that stays and only the switch is as before. A gateway that always writes the switch
          of a file, or never a switch that is on, does so here too.
        - Candidate names are tried in turn, the next one only after a not-found.
        - It returns after effect and read-back of every entry of the section, the ones not meant to change included.
        - Contact lost after something was sent is `Uncertain`, settled by listing again, never by sending again.
        - Cancelling waits for the write in progress.

        The decision on the bytes to write is in `adapter.rules.switching`.

        Raises:
            Unsupported: the gateway lacks `Capability.SET_DISABLED`.
            GatewayError: nothing was sent.
        """

    async def delete_file(self, file: FileRef, expect: Revision) -> None:
        """Remove one OAuth file. There is no such verb, and no type, for keys.

        Raises:
            ConflictError: the account's revision is not `expect`; the file is still there.
            NotFound: there is no such file.
            Unsupported: the gateway lacks `Capability.DELETE_FILE`.
            GatewayError: anything else; `applied` says whether it may be gone.
        """

    async def read_file(self, file: FileRef, expect: Revision) -> Secret:
        """Return the content of one OAuth file as it is stored, for the copy that is kept of a deleted file.

        Raises:
            ConflictError: the account's revision is not `expect`.
            NotFound: there is no such file.
            Unsupported: the gateway lacks `Capability.RESTORE_FILE`.
            GatewayError: it could not be read.
        """

    async def restore_file(self, file: FileRef, content: Secret) -> None:
        """Write back an OAuth file that was deleted. A file of that name is never overwritten.

        It returns when the gateway lists the file. A gateway may format the content in its own way.

        Raises:
            ConflictError: there is a file of that name; nothing was written.
            Rejected: the name or the content is not one of an auth file; nothing was written.
            Unsupported: the gateway lacks `Capability.RESTORE_FILE`.
            GatewayError: anything else; `applied` says whether it may have been written.
        """
