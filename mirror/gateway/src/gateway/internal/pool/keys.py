"""Configured API keys to credentials, in the order the stock gateway makes them."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from gateway.internal.configuration.model import CompatKey, CompatProvider, Configuration, KeyEntry
from gateway.internal.configuration.normalisation import header_part
from gateway.internal.configuration.sections import SECTIONS, Section
from gateway.internal.pool.credential import Credential, Origin
from gateway.internal.pool.identity import StableIds, compat_kind, compat_provider, index_of_key, stem_of


@dataclass(frozen=True, slots=True)
class Made:
    """A credential and what it was made of.

    Attributes:
        source: Its entry or provider.
        number: Its ``config_index``.
        stem: What its id begins with; credentials that share it are told apart by numbers.
    """

    source: KeyEntry | CompatProvider
    number: int
    stem: str
    credential: Credential


Places: TypeAlias = Mapping[tuple[Section, int, int], Made]
"""What was made, by section, position of the entry, and position of the key within it (-1 where there is none)."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The credentials of a configuration: those in use, and those of compat providers that are switched off.

    ``made`` is what the next synthesis starts from.
    """

    live: tuple[Credential, ...]
    dormant: tuple[Credential, ...]
    made: Places = field(default_factory=dict, repr=False)


_NOTHING = Keys((), ())


def synthesise(configuration: Configuration, before: Keys = _NOTHING) -> Keys:
    """Return every credential config.yaml describes.

    Dormant ones get the ids they would have if all providers were on; being dormant, they take no id from a live one.

    Args:
        configuration: The configuration.
        before: What was made of an earlier one. A credential is taken over from it when its very entry still stands at
            the same place: making ten thousand anew would cost more than most of a change.
    """
    made = dict(_in_use(configuration, before.made))
    live = tuple(each.credential for each in made.values())
    if not any(provider.disabled for provider in configuration.compat):
        return Keys(live, (), made)
    everything = dict(_providers(configuration.compat, StableIds(), {**before.made, **made}))
    dormant = {place: each for place, each in everything.items() if each.credential.disabled}
    return Keys(live, tuple(each.credential for each in dormant.values()), dormant | made)


_Placed: TypeAlias = tuple[tuple[Section, int, int], Made]


def _in_use(configuration: Configuration, before: Places) -> Iterator[_Placed]:
    ids = StableIds()
    for section in SECTIONS:
        if section is Section.COMPAT:
            yield from _providers([each for each in configuration.compat if not each.disabled], ids, before)
            continue
        for number, entry in enumerate(configuration.entries.get(section, ())):
            if not (entry.api_key or entry.base_url):
                continue
            place = (section, entry.position, -1)
            stem, make = partial(_entry_stem, entry), partial(_entry_key, entry, number)
            yield place, _taken_over(before.get(place), entry, number, ids, stem_of_it=stem, make=make)


def _providers(providers: Iterable[CompatProvider], ids: StableIds, before: Places) -> Iterator[_Placed]:
    for provider in providers:
        for key in provider.keys or (None,):
            place = (Section.COMPAT, provider.position, key.position if key else -1)
            stem, make = partial(_provider_stem, provider, key), partial(_provider_key, provider, key)
            known, number = before.get(place), provider.position
            yield place, _taken_over(known, provider, number, ids, stem_of_it=stem, make=make)


def _taken_over(
    known: Made | None,
    source: KeyEntry | CompatProvider,
    number: int,
    ids: StableIds,
    *,
    stem_of_it: Callable[[], str],
    make: Callable[[str], Credential],
) -> Made:
    """Return what was made of a source, made anew only where it has to be."""
    if known is not None and known.source is not source:
        known = None
    stem = known.stem if known else stem_of_it()
    credential_id = ids.numbered(stem)
    if known and (known.number, known.credential.id) == (number, credential_id):
        return known
    return Made(source, number, stem, make(credential_id))


def _entry_stem(entry: KeyEntry) -> str:
    parts = [entry.api_key, entry.base_url, entry.proxy_url]
    if entry.section is not Section.VERTEX:
        parts += [entry.prefix, header_part(entry.headers)]
    return stem_of(SECTIONS[entry.section].kind, *parts)


def _entry_key(entry: KeyEntry, number: int, credential_id: str) -> Credential:
    facts = SECTIONS[entry.section]
    attributes = {
        "source": f"config:{facts.source}[{credential_id.removeprefix(f'{facts.kind}:')}]",
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


def _provider_stem(provider: CompatProvider, key: CompatKey | None) -> str:
    kind = compat_kind(provider.name)
    if key is None:
        return stem_of(kind, provider.base_url)
    return stem_of(kind, key.api_key, provider.base_url, key.proxy_url)


def _provider_key(provider: CompatProvider, key: CompatKey | None, credential_id: str) -> Credential:
    kind = compat_provider(provider.name)
    name = provider.name or SECTIONS[Section.COMPAT].provider
    api_key = key.api_key if key else ""
    short = credential_id.removeprefix(f"{compat_kind(provider.name)}:")
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
        revision=revision_of(provider.raw),
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
