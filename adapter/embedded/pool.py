"""The gateway's credentials as accounts. Pure over the gateway's immutable snapshot."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gateway.internal.configuration.model import Configuration, Profile
from gateway.internal.pool.credential import Credential
from gateway.internal.pool.snapshot import PoolSnapshot

from adapter.port import Account, AccountRef, Activity, FileRef, KeyRef, Pool, Revision, Section, Skipped, Switch
from adapter.port.accounts import NoProbeCode
from adapter.privacy.secret import key_hint
from adapter.rules.entries import shown_address
from adapter.rules.identity import Fingerprints, candidate_names
from adapter.rules.switching import provider_switch, switch_code, usable_keys

Totals = Callable[[str], tuple[int, int]]
"""Successes and failures of a credential, by its id."""

_STOCK = "The gateway runs in its stock profile, which cannot switch a compatible provider: edit the configuration."
_VENDOR_ACCOUNT = ("account_id", "account_uuid", "sub")
_VENDOR_PROJECT = ("project_id",)
_SHADOWED = "it is switched off, and a live entry of the same name, address and key has its id"


def read_pool(
    snapshot: PoolSnapshot, configuration: Configuration, fingerprints: Fingerprints, totals: Totals, read_at: int
) -> Pool:
    """Every credential of a snapshot as an account, the hidden ones last.

    A hidden entry whose id a live one has cannot be addressed, so it is skipped with that reason.
    """
    reader = _Reader(configuration, fingerprints, totals)
    live = [reader.account(credential, live=True) for credential in snapshot.credentials]
    live_refs = {account.ref for account in live}
    hidden = [reader.account(credential, live=False) for credential in snapshot.dormant]
    return Pool(
        revision=Revision(snapshot.revision),
        read_at=read_at,
        accounts=(*live, *(account for account in hidden if account.ref not in live_refs)),
        skipped=tuple(Skipped(account.label, _SHADOWED) for account in hidden if account.ref in live_refs),
    )


class PoolReader:
    """Reads pools, and makes the accounts of one snapshot once: in a large pool that is most of the work."""

    def __init__(self) -> None:
        self._last: tuple[PoolSnapshot, Configuration, Pool] | None = None

    def read(
        self,
        snapshot: PoolSnapshot,
        configuration: Configuration,
        fingerprints: Fingerprints,
        totals: Totals,
        read_at: int,
    ) -> Pool:
        """Read a pool as `read_pool` does; callable from any thread."""
        last = self._last
        if last is not None and last[0] is snapshot and last[1] is configuration:
            accounts = tuple(_with_activity(account, totals) for account in last[2].accounts)
            return replace(last[2], accounts=accounts, read_at=read_at)
        pool = read_pool(snapshot, configuration, fingerprints, totals, read_at)
        self._last = (snapshot, configuration, pool)
        return pool


def _with_activity(account: Account, totals: Totals) -> Account:
    """Return the account with the counters of now; the account itself when they are the same."""
    ref = account.ref
    successes, failures = totals(ref.name if isinstance(ref, FileRef) else ref.entry_id)
    activity = account.activity
    if (activity.successes, activity.failures) == (successes, failures):
        return account
    return replace(account, activity=replace(activity, successes=successes, failures=failures))


def ref_of(credential: Credential) -> AccountRef:
    """Return the reference of a credential."""
    if credential.section is None:
        return FileRef(credential.id)
    return KeyRef(Section(credential.section.value), credential.id)


def is_compatible(credential: Credential) -> bool:
    """Return whether a credential is a compatible provider's."""
    return credential.section is not None and Section(credential.section.value).holds_providers


def compatible_switch(name: str, keys: Sequence[str], *, stock: bool) -> tuple[Switch, str]:
    """Return the switch of a compatible provider, with the reason if it has none. The stock profile has none."""
    switch, reason = provider_switch(name, keys)
    return (Switch.NONE, _STOCK) if stock and switch is not Switch.NONE else (switch, reason)


class _Reader:
    """Turns credentials into accounts; looks at the configuration once for all of them."""

    def __init__(self, configuration: Configuration, fingerprints: Fingerprints, totals: Totals) -> None:
        self._fingerprints = fingerprints
        self._totals = totals
        self._stock = configuration.management_profile is Profile.STOCK
        self._entries = _entries(configuration)
        self._keys = {
            provider.position: tuple(key.api_key for key in provider.keys) for provider in configuration.compat
        }

    def account(self, credential: Credential, *, live: bool) -> Account:
        ref = ref_of(credential)
        compatible, keys = is_compatible(credential), self._provider_keys(credential)
        switch, reason = self._switch(credential)
        index = credential.auth_index if live else ""
        successes, failures = self._totals(credential.id)
        proxy, headers = credential.proxy_url, dict(credential.headers)
        is_key = not credential.is_file
        vendor_account, vendor_project = _told(credential, _VENDOR_ACCOUNT), _told(credential, _VENDOR_PROJECT)
        owner = (credential.provider, credential.label, vendor_account, vendor_project)
        prefix, models = self._entries.get((str(credential.section or ""), credential.position), ("", ()))
        return Account(
            ref=ref,
            fingerprint=self._fingerprint(credential, ref),
            auth_index=index,
            names=candidate_names(credential.id, credential.file_name, index),
            provider=credential.provider,
            label=credential.label,
            compat_name=credential.compat_name,
            base_url=shown_address(credential.base_url),
            enabled=not credential.disabled,
            runtime_only=not credential.is_file,
            listed=live and (credential.is_file or not self._stock),
            probeable=live,
            detached=not live and not credential.is_file and self._no_probe(credential) != "no_key",
            switch=switch,
            switch_reason=reason,
            switch_code=switch_code(keys, stock=self._stock) if compatible else "",
            provider_keys=usable_keys(keys),
            revision=Revision(credential.revision),
            activity=Activity(successes, failures),
            models=models,
            no_probe=self._no_probe(credential),
            source_kind="file" if credential.is_file else "config",
            account_type="oauth" if credential.is_file else "api_key",
            auth_kind=credential.attributes.get("auth_kind", ""),
            file_name=credential.file_name,
            vendor_account=vendor_account,
            vendor_project=vendor_project,
            discriminator=self._fingerprints.of_variant(proxy, headers, prefix) if is_key else "",
            route=self._fingerprints.of_variant(proxy, headers if is_key else {}),
            proxy=self._fingerprints.of_proxy(proxy),
            place=credential.position if is_key else None,
            key_place=credential.key_position if is_key and credential.key_position >= 0 else None,
            key_hint=key_hint(credential.api_key) if is_key else "",
            key_mark=self._fingerprints.of_key_alone(credential.api_key) if is_key else "",
            vendor_mark="" if is_key else self._fingerprints.of_owner(*owner),
        )

    def _no_probe(self, credential: Credential) -> NoProbeCode:
        if credential.is_file or credential.api_key.strip():
            return ""
        # It may stand for a compatible provider without key entries.
        return "keyless" if credential.compat_name and not self._keys.get(credential.position) else "no_key"

    def _fingerprint(self, credential: Credential, ref: AccountRef) -> str:
        if isinstance(ref, FileRef):
            return self._fingerprints.of_file(ref.name)
        return self._fingerprints.of_key(ref.section, credential.base_url, credential.api_key)

    def _switch(self, credential: Credential) -> tuple[Switch, str]:
        if credential.is_file:
            return Switch.FILE, ""
        if not is_compatible(credential):
            return Switch.ENTRY, ""
        return compatible_switch(credential.compat_name, self._provider_keys(credential), stock=self._stock)

    def _provider_keys(self, credential: Credential) -> Sequence[str]:
        return self._keys.get(credential.position, ()) if is_compatible(credential) else ()


def _told(credential: Credential, names: Sequence[str]) -> str:
    """The first of some fields of a file that holds a text."""
    values = (credential.metadata.get(name) for name in names)
    return next((value.strip() for value in values if isinstance(value, str) and value.strip()), "")


def _entries(configuration: Configuration) -> Mapping[tuple[str, int], tuple[str, tuple[str, ...]]]:
    """The prefix of each entry and the upstream's own names of the models it lists, by section and position."""
    sections: dict[str, Sequence[Any]] = {section.value: entries for section, entries in configuration.entries.items()}
    sections[Section.COMPAT.value] = configuration.compat
    return {
        (section, entry.position): (entry.prefix, tuple(model.name or model.alias for model in entry.models))
        for section, entries in sections.items()
        for entry in entries
    }
