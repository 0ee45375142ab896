"""Models and the credentials that serve them, for one configuration and one pool."""

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import TypeAlias

from gateway.internal.configuration import normalisation
from gateway.internal.configuration.model import CompatProvider, Configuration, KeyEntry, Model
from gateway.internal.configuration.sections import Section
from gateway.internal.configuration.traffic import ModelAlias
from gateway.internal.inference.families import Action, Family, family_of
from gateway.internal.pool.credential import Credential
from gateway.internal.pool.snapshot import PoolSnapshot

_MOST_ANSWERS = 256


@dataclass(frozen=True, slots=True)
class Offer:
    """A credential that serves a model; ``upstream`` is the upstream's name of the model."""

    credential: Credential
    family: Family
    upstream: str


Tiers: TypeAlias = tuple[tuple[Offer, ...], ...]
"""Offers by priority, the highest first, and within one priority by credential id."""


@dataclass(frozen=True, slots=True)
class ModelEntry:
    id: str
    display_name: str
    type: str
    owned_by: str


@dataclass(frozen=True, slots=True)
class _Open:
    """A credential without a model list, which serves its family's models except renamed ones."""

    credential: Credential
    family: Family
    prefix: str
    renamed: frozenset[str]


class Catalogue:
    """Index of the models and the credentials that serve them.

    A credential with a model list serves those, under their aliases. Any other serves the known models of its family,
    and models that no list contains but whose names match the family's patterns, except excluded ones; a compat
    provider without a list serves none. With a prefix, a model is also available as ``prefix/model``.
    """

    def __init__(self, configuration: Configuration, snapshot: PoolSnapshot) -> None:
        self._traffic = configuration.traffic
        self._entries = {
            (section, entry.position): entry for section, entries in configuration.entries.items() for entry in entries
        }
        self._providers = {provider.position: provider for provider in configuration.compat}
        self._answers: OrderedDict[tuple[Action, str], Tiers] = OrderedDict()
        self._listed: defaultdict[str, list[tuple[Credential, Family, Model]]] = defaultdict(list)
        self._open: defaultdict[str, list[_Open]] = defaultdict(list)
        self._families: dict[str, Family] = {}
        self._credentials = tuple(sorted(snapshot.credentials, key=lambda credential: credential.id))
        for credential in self._credentials:
            self._take(credential)

    def offers(self, action: Action, name: str) -> Tiers:
        """Return the enabled credentials that serve a model in the dialect of an action."""
        key = (action, name)
        tiers = self._answers.get(key)
        if tiers is None:
            tiers = _tiers(offer for offer in self._find(name) if action in offer.family.paths)
            self._answers[key] = tiers
            if len(self._answers) > _MOST_ANSWERS:
                self._answers.popitem(last=False)
        return tiers

    def serves(self, name: str) -> bool:
        """Return whether any credential serves a model, in any dialect."""
        return bool(self._find(name))

    @cached_property
    def models(self) -> tuple[ModelEntry, ...]:
        """All models, each once, by name."""
        entries: dict[str, ModelEntry] = {}
        kinds_done: set[tuple[object, ...]] = set()
        for credential in self._credentials:
            kind = (credential.provider, credential.compat_name, credential.is_file)
            offering = (*kind, self._prefix(credential), credential.models, credential.excluded_models)
            if offering in kinds_done or _serving(credential) is None:  # thousands of keys often offer the same
                continue
            kinds_done.add(offering)
            for entry in self.models_of(credential):
                entries.setdefault(entry.id, entry)
        return tuple(entries[name] for name in sorted(entries))

    def models_of(self, credential: Credential) -> tuple[ModelEntry, ...]:
        """Return the models of a credential; a disabled one has none."""
        family = family_of(credential)
        if family is None or credential.disabled:
            return ()
        listed = [model.alias or model.name for model in self._models(credential)]
        names = dict(zip(listed, listed, strict=True))
        if self._is_open(credential):
            renamed = self._renamed(credential)
            names |= {name: display for name, display in family.models.items() if name not in renamed}
        owner = credential.compat_name or family.owner
        return tuple(
            ModelEntry(shown, display, family.name, owner)
            for name, display in names.items()
            if not self._excluded(credential, name)
            for shown in self._names(credential, name)
        )

    def written(self, credential: Credential) -> Mapping[str, object]:
        """Return a credential's entry of config.yaml, or its file with hyphens in its field names."""
        if credential.is_file:
            return {name.replace("_", "-"): value for name, value in credential.metadata.items()}
        place = self._place(credential)
        return place.raw if place else {}

    def error_rules(self, credential: Credential) -> tuple[object, ...]:
        """Return the error rules as written: the credential's own, then those for all files of the provider."""
        rules = self.written(credential).get("request-scoped-errors")
        shared = self._traffic.oauth_error_rules.get(credential.provider, ()) if credential.is_file else ()
        return (*(rules if isinstance(rules, list) else ()), *shared)

    def _take(self, credential: Credential) -> None:
        family = _serving(credential)
        if family is None:
            return
        for model in self._models(credential):
            if not self._excluded(credential, model.alias or model.name):
                for name in self._names(credential, model.alias or model.name):
                    self._listed[name].append((credential, family, model))
        if self._is_open(credential):
            self._families[credential.provider] = family
            entry = _Open(credential, family, self._prefix(credential), self._renamed(credential))
            self._open[credential.provider].append(entry)

    def _find(self, name: str) -> tuple[Offer, ...]:
        """Return the credentials known to serve a model; without any, those whose family matches its name."""
        listed = [
            Offer(credential, family, model.name or model.alias)
            for credential, family, model in self._listed.get(name, ())
        ]
        prefix, slash, bare = name.rpartition("/")
        guessed: list[Offer] = []
        for provider, group in self._open.items():
            family = self._families[provider]
            if bare in family.models or family.matches(bare):
                offers = listed if bare in family.models else guessed
                offers += self._reached(group, prefix if slash else None, bare)
        return tuple(listed or guessed)

    def _reached(self, group: Iterable[_Open], prefix: str | None, name: str) -> Iterator[Offer]:
        """Yield the credentials of a family that serve a model under this prefix, or without any."""
        forced = self._traffic.force_model_prefix
        for entry in group:
            reached = not (entry.prefix and forced) if prefix is None else entry.prefix == prefix
            if reached and name not in entry.renamed and not self._excluded(entry.credential, name):
                yield Offer(entry.credential, entry.family, name)

    def _names(self, credential: Credential, name: str) -> Iterator[str]:
        prefix = self._prefix(credential)
        if not (prefix and self._traffic.force_model_prefix):
            yield name
        if prefix:
            yield f"{prefix}/{name}"

    def _is_open(self, credential: Credential) -> bool:
        return credential.section is not Section.COMPAT and (credential.is_file or not self._models(credential))

    def _models(self, credential: Credential) -> tuple[Model, ...]:
        if credential.is_file:
            return tuple(Model(alias.name, alias.alias) for alias in self._aliases(credential))
        place = self._place(credential)
        return place.models if place else ()

    def _renamed(self, credential: Credential) -> frozenset[str]:
        """Return the model names of a file that aliases replace."""
        return frozenset(alias.name for alias in self._aliases(credential) if not alias.fork)

    def _aliases(self, credential: Credential) -> tuple[ModelAlias, ...]:
        return self._traffic.oauth_model_alias.get(credential.provider, ()) if credential.is_file else ()

    def _excluded(self, credential: Credential, name: str) -> bool:
        patterns = credential.excluded_models
        if credential.is_file:
            patterns += self._traffic.oauth_excluded_models.get(credential.provider, ())
        return any(matches(pattern, name) for pattern in patterns)

    def _prefix(self, credential: Credential) -> str:
        if credential.is_file:
            prefix = credential.metadata.get("prefix")
            return normalisation.prefix(prefix) if isinstance(prefix, str) else ""
        place = self._place(credential)
        return place.prefix if place else ""

    def _place(self, credential: Credential) -> KeyEntry | CompatProvider | None:
        if credential.section is Section.COMPAT:
            return self._providers.get(credential.position)
        return self._entries.get((credential.section, credential.position)) if credential.section else None


def _serving(credential: Credential) -> Family | None:
    """Return the family a credential serves requests with, or None."""
    family = None if credential.disabled else family_of(credential)
    return family if family and family.paths else None


def _tiers(offers: Iterable[Offer]) -> Tiers:
    tiers: defaultdict[int, list[Offer]] = defaultdict(list)
    for offer in offers:
        tiers[offer.credential.priority].append(offer)
    return tuple(
        tuple(sorted(tiers[priority], key=lambda offer: offer.credential.id))
        for priority in sorted(tiers, reverse=True)
    )


def matches(pattern: str, name: str) -> bool:
    """Return whether an exclusion pattern matches a model: ``*`` is the only wildcard, case is ignored."""
    escaped = pattern.replace("[", "[[]").replace("?", "[?]")
    return fnmatchcase(name.lower(), escaped)
