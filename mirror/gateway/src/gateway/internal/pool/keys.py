"""Credentials from configured API keys, in the stock gateway's order; ids and ``auth_index`` of all credentials."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeAlias

from gateway.internal.configuration.model import CompatKey, CompatProvider, Configuration, KeyEntry
from gateway.internal.configuration.normalisation import header_part
from gateway.internal.configuration.sections import SECTIONS, Section
from gateway.internal.pool.credential import Credential, Origin

_INDEX_DIGITS = 16
_HASH_DIGITS = 12
_COMPAT_PREFIX = "openai-compatible-"
_COMPAT = "openai-compatibility"
_BY_PROVIDER = {
    facts.provider: facts.index_prefix
    for section, facts in SECTIONS.items()
    if facts.index_prefix and section is not Section.COMPAT
}


class StableIds:
    """Ids of one synthesis run: ``kind:hash``, repeated ones with ``-1``, ``-2``, … in order."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def numbered(self, stem: str) -> str:
        count = self._counts[stem]
        self._counts[stem] += 1
        return f"{stem}-{count}" if count else stem


def stem_of(kind: str, *parts: str) -> str:
    """Return the common beginning of the ids of credentials with these parts."""
    digest = hashlib.sha256(kind.encode())
    for part in parts:
        digest.update(b"\0" + part.strip().encode())
    return f"{kind}:{digest.hexdigest()[:_HASH_DIGITS]}"


def index_of_seed(seed: str) -> str:
    return hashlib.sha256(seed.encode()).hexdigest()[:_INDEX_DIGITS]


def index_of_file(path: Path, metadata: Mapping[str, object], provider: str) -> str:
    """Return the auth_index of a credential file.

    A ``type`` in its content takes precedence over ``provider``; ``path`` is absolute and cleaned.
    """
    kind = metadata.get("type")
    word = kind.strip().lower() if isinstance(kind, str) else ""
    return index_of_seed(f"{word or provider}:{path}")


def index_of_key(credential_id: str, provider: str, *, compat_name: str, base_url: str, api_key: str) -> str:
    """Return the auth_index of a configured key, from key and base URL, or from the id where there is no rule."""
    prefix = _COMPAT if compat_name or provider == _COMPAT else _BY_PROVIDER.get(provider, "")
    if not (prefix and api_key):
        return index_of_seed(f"id:{credential_id}")
    return index_of_seed(f"{prefix}:{base_url}+{api_key}")


def compat_kind(name: str) -> str:
    return f"{_COMPAT}:{name.strip().lower() or _COMPAT}"


def compat_provider(name: str) -> str:
    lower = name.strip().lower()
    if not lower:
        return _COMPAT
    return lower if lower == _COMPAT or lower.startswith(_COMPAT_PREFIX) else _COMPAT_PREFIX + lower


@dataclass(frozen=True, slots=True)
class Made:
    """A credential and its source.

    Attributes:
        source: Its entry or provider.
        number: Its ``config_index``.
        stem: Beginning of its id; credentials that share it have a number behind it.
    """

    source: KeyEntry | CompatProvider
    number: int
    stem: str
    credential: Credential


Places: TypeAlias = Mapping[tuple[Section, int, int], Made]
"""Credentials by section, position of the entry, and position of the key within it (-1 where there is none)."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Credentials of a configuration: live ones, and those of disabled compat providers.

    ``made`` is the input of the next synthesis.
    """

    live: tuple[Credential, ...]
    dormant: tuple[Credential, ...]
    made: Places = field(default_factory=dict, repr=False)


_NOTHING = Keys((), ())


def synthesise(configuration: Configuration, before: Keys = _NOTHING) -> Keys:
    """Return every credential of config.yaml.

    Dormant ones get the ids they would have if all providers were enabled, but take no id from a live one. ``before``
    is an earlier result: the credential of an unchanged entry at the same place is reused, because making ten thousand
    anew would cost more than most of a change.
    """
    made = dict(_in_use(configuration, before.made))
    live = tuple(item.credential for item in made.values())
    if not any(provider.disabled for provider in configuration.compat):
        return Keys(live, (), made)
    everything = dict(_providers(configuration.compat, StableIds(), {**before.made, **made}))
    dormant = {place: item for place, item in everything.items() if item.credential.disabled}
    return Keys(live, tuple(item.credential for item in dormant.values()), dormant | made)


_Placed: TypeAlias = tuple[tuple[Section, int, int], Made]


def _in_use(configuration: Configuration, before: Places) -> Iterator[_Placed]:
    ids = StableIds()
    for section in SECTIONS:
        if section is Section.COMPAT:
            yield from _providers([provider for provider in configuration.compat if not provider.disabled], ids, before)
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
            earlier, number = before.get(place), provider.position
            yield place, _taken_over(earlier, provider, number, ids, stem_of_it=stem, make=make)


def _taken_over(
    earlier: Made | None,
    source: KeyEntry | CompatProvider,
    number: int,
    ids: StableIds,
    *,
    stem_of_it: Callable[[], str],
    make: Callable[[str], Credential],
) -> Made:
    """Return the credential of a source, made anew only where necessary."""
    if earlier is not None and earlier.source is not source:
        earlier = None
    stem = earlier.stem if earlier else stem_of_it()
    credential_id = ids.numbered(stem)
    if earlier and (earlier.number, earlier.credential.id) == (number, credential_id):
        return earlier
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
    """Return a short fingerprint of an entry as written."""
    text = json.dumps(raw, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
