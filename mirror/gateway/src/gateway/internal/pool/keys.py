"""Configured API keys to credentials, in the order the stock gateway makes them."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gateway.internal.configuration.model import CompatKey, CompatProvider, Configuration, KeyEntry
from gateway.internal.configuration.normalisation import header_part
from gateway.internal.configuration.sections import SECTIONS, Section
from gateway.internal.pool.credential import Credential, Origin
from gateway.internal.pool.identity import StableIds, compat_kind, compat_provider, index_of_key


@dataclass(frozen=True, slots=True)
class Keys:
    """The credentials of a configuration: those in use, and those of compat providers that are switched off."""

    live: tuple[Credential, ...]
    dormant: tuple[Credential, ...]


def synthesise(configuration: Configuration) -> Keys:
    """Return every credential config.yaml describes.

    Dormant ones get the ids they would have if all providers were on; being dormant, they take no id from a live one.
    """
    live = tuple(_all(configuration, dormant=False))
    if not any(provider.disabled for provider in configuration.compat):
        return Keys(live, ())
    everything = _all(configuration, dormant=True)
    return Keys(live, tuple(credential for credential in everything if credential.disabled and credential.compat_name))


def _all(configuration: Configuration, *, dormant: bool) -> Iterator[Credential]:
    ids = StableIds()
    for section in SECTIONS:
        if section is Section.COMPAT:
            for provider in configuration.compat:
                if dormant or not provider.disabled:
                    yield from _provider_keys(provider, ids)
            continue
        for number, entry in enumerate(configuration.entries.get(section, ())):
            yield _entry_key(entry, number, ids)


def _entry_key(entry: KeyEntry, number: int, ids: StableIds) -> Credential:
    facts = SECTIONS[entry.section]
    parts = [entry.api_key, entry.base_url, entry.proxy_url]
    if entry.section is not Section.VERTEX:
        parts += [entry.prefix, header_part(entry.headers)]
    credential_id, short = ids.make(facts.kind, *parts)
    attributes = {
        "source": f"config:{facts.source}[{short}]",
        "config_index": str(number),
        "auth_kind": "apikey",
        **_common(entry.api_key, entry.base_url, entry.priority, entry.weight, entry.headers),
    }
    if entry.excluded_models:
        attributes["excluded_models"] = ",".join(sorted(entry.excluded_models))
    if entry.section is Section.VERTEX:
        attributes["provider_key"] = facts.provider
    return Credential(
        id=credential_id,
        auth_index=index_of_key(
            credential_id, facts.provider, compat_name="", base_url=entry.base_url, api_key=entry.api_key
        ),
        provider=facts.provider,
        label=facts.label,
        origin=Origin.CONFIGURATION,
        disabled=entry.disabled,
        revision=revision_of(entry.raw),
        api_key=entry.api_key,
        base_url=entry.base_url,
        proxy_url=entry.proxy_url,
        section=entry.section,
        position=entry.position,
        headers=entry.headers,
        excluded_models=entry.excluded_models,
        models=tuple(model.alias or model.name for model in entry.models),
        priority=entry.priority,
        weight=entry.weight,
        attributes=attributes,
    )


def _provider_keys(provider: CompatProvider, ids: StableIds) -> Iterator[Credential]:
    revision = revision_of(provider.raw)
    if not provider.keys:
        yield _provider_key(provider, None, ids.make(compat_kind(provider.name), provider.base_url), revision)
        return
    for key in provider.keys:
        made = ids.make(compat_kind(provider.name), key.api_key, provider.base_url, key.proxy_url)
        yield _provider_key(provider, key, made, revision)


def _provider_key(provider: CompatProvider, key: CompatKey | None, made: tuple[str, str], revision: str) -> Credential:
    credential_id, short = made
    kind = compat_provider(provider.name)
    name = provider.name or SECTIONS[Section.COMPAT].provider
    api_key = key.api_key if key else ""
    attributes = {
        "source": f"config:{name.lower()}[{short}]",
        "config_index": str(provider.position),
        "compat_name": provider.name,
        "provider_key": kind,
        **_common(api_key, provider.base_url, provider.priority, key.weight if key else None, provider.headers),
    }
    return Credential(
        id=credential_id,
        auth_index=index_of_key(credential_id, kind, compat_name=name, base_url=provider.base_url, api_key=api_key),
        provider=kind,
        label=name,
        origin=Origin.CONFIGURATION,
        disabled=provider.disabled,
        revision=revision,
        api_key=api_key,
        base_url=provider.base_url,
        proxy_url=key.proxy_url if key else "",
        compat_name=name,
        section=Section.COMPAT,
        position=provider.position,
        key_position=key.position if key else -1,
        headers=provider.headers,
        models=tuple(model.alias or model.name for model in provider.models),
        priority=provider.priority,
        weight=key.weight if key else None,
        attributes=attributes,
    )


def _common(
    api_key: str, base_url: str, priority: int, weight: int | None, headers: tuple[tuple[str, str], ...]
) -> dict[str, str]:
    attributes = {f"header:{name}": value for name, value in headers}
    if api_key:
        attributes["api_key"] = api_key
    if base_url:
        attributes["base_url"] = base_url
    if priority:
        attributes["priority"] = str(priority)
    if weight is not None:
        attributes["weight"] = str(weight)
    return attributes


def revision_of(raw: Mapping[str, object]) -> str:
    """Return a short fingerprint of an entry as written; it changes with any of its fields."""
    text = json.dumps(raw, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
