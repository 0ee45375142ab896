"""The configuration's API-key sections as accounts, for a gateway that returns its sections. Pure.

One entry of a key section is one account; a compatible provider is one account per key entry, or one without a key.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from adapter.port import errors
from adapter.port.accounts import Account, Activity, Switch
from adapter.port.configuration import Entry
from adapter.port.section import KeyRef, Revision, Section
from adapter.privacy.secret import key_hint
from adapter.rules.identity import (
    Fingerprints,
    IdRule,
    KeyFacts,
    StableIds,
    auth_index,
    candidate_names,
    entry_id,
    key_seed,
    provider_of,
)
from adapter.rules.switching import is_off, provider_switch, switch_code, usable_keys

_ORDINARY: Final = re.compile(r"https?://[A-Za-z0-9.-]+(?::[0-9]+)?(?:/[A-Za-z0-9._~/+-]*)?")
"""Addresses without anything to take out, as nearly all are."""


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """One API-key credential as its configuration describes it; it holds the key, so it never leaves the adapter."""

    facts: KeyFacts
    gateway_id: str
    auth_index: str
    position: int
    """Zero-based place of the entry in its section's list."""
    disabled: bool
    revision: Revision
    label: str
    excluded_models: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    provider_keys: tuple[str, ...] = field(default=(), repr=False)
    """All keys of the compatible provider it belongs to."""
    key_position: int | None = None
    """Zero-based place of the key among the provider's key entries."""

    @property
    def ref(self) -> KeyRef:
        """Its reference in the port."""
        return KeyRef(self.facts.section, self.gateway_id)


def read_sections(document: Mapping[str, Any], rule: IdRule = IdRule.WHOLE_ENTRY) -> tuple[KeyRecord, ...]:
    """Return every key of a parsed configuration, live ones first, then those of switched-off compatible providers.

    `rule` is the gateway's rule for ids.
    The hidden ones get their ids last: a gateway that skips them counts its equal entries without them.
    """
    ids = StableIds()
    drafts = [draft for section in Section for draft in _drafts(section, _items(document.get(section.value)))]
    live = [draft for draft in drafts if not draft.hidden]
    hidden = [draft for draft in drafts if draft.hidden]
    return tuple(_record(ids, draft, rule) for draft in [*live, *hidden])


def key_account(record: KeyRecord, fingerprints: Fingerprints, *, activity: Activity) -> Account:
    """Return the account of a key. Keys of a switched-off compatible provider are detached."""
    compatible = record.facts.section.holds_providers
    live = not (compatible and record.disabled)
    switch, reason = (
        provider_switch(record.facts.compat_name, record.provider_keys) if compatible else (Switch.ENTRY, "")
    )
    return Account(
        ref=record.ref,
        fingerprint=fingerprints.of_key(record.facts.section, record.facts.base_url, record.facts.api_key),
        auth_index=record.auth_index if live else "",
        names=candidate_names(record.gateway_id, "", record.auth_index if live else ""),
        provider=provider_of(record.facts),
        label=record.label,
        compat_name=record.facts.compat_name,
        base_url=shown_address(record.facts.base_url),
        enabled=not record.disabled,
        runtime_only=True,
        listed=live,
        probeable=live,
        detached=not live and (bool(record.facts.api_key.strip()) or record.facts.keyless),
        switch=switch,
        switch_reason=reason,
        switch_code=switch_code(record.provider_keys) if compatible else "",
        provider_keys=usable_keys(record.provider_keys) if compatible else 0,
        revision=record.revision,
        activity=activity,
        models=record.models,
        no_probe="keyless" if record.facts.keyless else "" if record.facts.api_key.strip() else "no_key",
        source_kind="config",
        account_type="api_key",
        auth_kind="" if compatible else "apikey",
        discriminator=fingerprints.of_variant(record.facts.proxy_url, record.facts.headers, record.facts.prefix),
        route=fingerprints.of_variant(record.facts.proxy_url, record.facts.headers),
        proxy=fingerprints.of_proxy(record.facts.proxy_url),
        place=record.position,
        key_place=record.key_position,
        key_hint=key_hint(record.facts.api_key),
        key_mark=fingerprints.of_key_alone(record.facts.api_key),
    )


def shown_address(address: str) -> str | None:
    """Return a base URL without user information; None when there is none."""
    stripped = address.strip()
    if not stripped:
        return None
    if _ORDINARY.fullmatch(stripped):
        return stripped
    try:
        parts = urlsplit(stripped)
    except ValueError:
        return stripped.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def revision_of(value: object) -> Revision:
    """Return a mark of anything JSON can say, and of times and the like by their text."""
    text = json.dumps(value, sort_keys=True, default=str)
    return Revision(hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32])


def entry_value(entry: Entry) -> dict[str, Any]:
    """Return the values of an entry of a section.

    Raises:
        Rejected: it is no JSON object; its text is not quoted.
    """
    failure = errors.Rejected("invalid_entry", "An entry of the section is not a JSON object: correct it.")
    try:
        value = json.loads(entry.json.reveal())
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise failure
    return value


@dataclass(frozen=True, slots=True)
class _Draft:
    facts: KeyFacts
    position: int
    entry: Mapping[str, Any] = field(repr=False)
    seen: object = field(repr=False)
    keys: tuple[str, ...] = field(default=(), repr=False)
    key_position: int | None = None

    @property
    def hidden(self) -> bool:
        return self.facts.section.holds_providers and bool(self.entry.get("disabled"))


def _drafts(section: Section, entries: Sequence[Any]) -> Iterator[_Draft]:
    for position, entry in enumerate(entries):
        if not isinstance(entry, Mapping) or (section.row.needs_base_url and not _text(entry, "base-url")):
            continue
        if section.holds_providers:
            yield from _provider_drafts(section, position, entry)
        elif _text(entry, "api-key") or (_text(entry, "base-url") and not section.row.needs_key):
            facts = KeyFacts(
                section,
                _text(entry, "api-key"),
                _text(entry, "base-url"),
                _text(entry, "proxy-url"),
                _prefix(_text(entry, "prefix")),
                _headers(entry.get("headers")),
            )
            yield _Draft(facts, position, entry, entry)


def _provider_drafts(section: Section, position: int, provider: Mapping[str, Any]) -> Iterator[_Draft]:
    name, base = _text(provider, "name"), _text(provider, "base-url")
    listed = enumerate(_items(provider.get("api-key-entries")))
    key_entries = [(number, key) for number, key in listed if isinstance(key, Mapping)]
    keys = tuple(_text(key, "api-key") for _, key in key_entries)
    shared = {field_name: value for field_name, value in provider.items() if field_name != "api-key-entries"}
    prefix, headers = _prefix(_text(provider, "prefix")), _headers(provider.get("headers"))
    if not key_entries:
        facts = KeyFacts(section, "", base, compat_name=name, keyless=True, prefix=prefix, headers=headers)
        yield _Draft(facts, position, provider, shared)
    for number, key in key_entries:
        facts = KeyFacts(
            section,
            _text(key, "api-key"),
            base,
            _text(key, "proxy-url"),
            prefix,
            headers,
            name,
        )
        yield _Draft(facts, position, provider, [shared, key], keys, number)


def _record(ids: StableIds, draft: _Draft, rule: IdRule) -> KeyRecord:
    facts, entry = draft.facts, draft.entry
    gateway_id = entry_id(ids, facts, rule)
    patterns = tuple(str(pattern) for pattern in _items(entry.get("excluded-models")))
    compatible = facts.section.holds_providers
    return KeyRecord(
        facts=facts,
        gateway_id=gateway_id,
        auth_index=auth_index(key_seed(facts, gateway_id)),
        position=draft.position,
        disabled=bool(entry.get("disabled")) if compatible else is_off(patterns),
        revision=revision_of([facts.section.value, draft.seen]),
        label=facts.compat_name if compatible else facts.section.row.label,
        excluded_models=patterns,
        models=_models(entry.get("models")),
        provider_keys=draft.keys,
        key_position=draft.key_position,
    )


def _models(models: Any) -> tuple[str, ...]:
    named = [model for model in _items(models) if isinstance(model, Mapping)]
    return tuple(name for model in named if (name := _text(model, "name") or _text(model, "alias")))


def _headers(headers: Any) -> dict[str, str]:
    if not isinstance(headers, Mapping):
        return {}
    trimmed = {str(name).strip(): str(value).strip() for name, value in headers.items()}
    return {name: value for name, value in trimmed.items() if name and value}


def _items(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _prefix(prefix: str) -> str:
    trimmed = prefix.strip().strip("/")
    return "" if "/" in trimmed else trimmed


def _text(entry: Mapping[str, Any], name: str) -> str:
    value = entry.get(name)
    return "" if value is None else str(value).strip()
