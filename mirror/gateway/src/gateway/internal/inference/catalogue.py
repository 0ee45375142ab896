"""Which credential serves which model, for one configuration and one pool."""

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
    """A credential that serves a model.

    Attributes:
        upstream: The upstream's name of the model.
    """

    credential: Credential
    family: Family
    upstream: str


Tiers: TypeAlias = tuple[tuple[Offer, ...], ...]
"""Offers by priority, the highest first, and within one priority by the id of the credential."""


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """A model as it is listed."""

    id: str
    display_name: str
    type: str
    owned_by: str


@dataclass(frozen=True, slots=True)
class _Open:
    """A credential that serves whatever its family makes, but for the models that got another name."""

    credential: Credential
    family: Family
    prefix: str
    renamed: frozenset[str]


class Catalogue:
    """Answers which credentials serve a model, and which models there are.

    A credential with a model list of its own serves those, under their aliases. Any other serves the models this
    version of the gateway knows its family to make, and those that are named like them as long as nobody lists them,
    but for what its patterns exclude; a compat provider without a list serves nothing. With a prefix, a model is known
    as ``prefix/model`` too.

    Args:
        configuration: The configuration the pool was made from.
        snapshot: The pool.
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
        self._credentials = tuple(sorted(snapshot.credentials, key=lambda each: each.id))
        for credential in self._credentials:
            self._take(credential)

    def offers(self, action: Action, name: str) -> Tiers:
        """Return the credentials that serve a model in the dialect of an action; none that is disabled."""
        key = (action, name)
        known = self._answers.get(key)
        if known is None:
            known = _tiers(each for each in self._find(name) if action in each.family.paths)
            self._answers[key] = known
            if len(self._answers) > _MOST_ANSWERS:
                self._answers.popitem(last=False)
        return known

    def serves(self, name: str) -> bool:
        """Whether any credential serves a model, whatever the dialect."""
        return bool(self._find(name))

    @cached_property
    def models(self) -> tuple[ModelEntry, ...]:
        """Every model there is to list, each once, by name."""
        found: dict[str, ModelEntry] = {}
        seen: set[tuple[object, ...]] = set()
        for credential in self._credentials:
            kind = (credential.provider, credential.compat_name, credential.is_file)
            alike = (*kind, self._prefix(credential), credential.models, credential.excluded_models)
            if alike in seen or _serving(credential) is None:  # thousands of keys often offer the same
                continue
            seen.add(alike)
            for entry in self.models_of(credential):
                found.setdefault(entry.id, entry)
        return tuple(found[name] for name in sorted(found))

    def models_of(self, credential: Credential) -> tuple[ModelEntry, ...]:
        """Return the models of one credential; a disabled one has none."""
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
            ModelEntry(known, display, family.name, owner)
            for name, display in names.items()
            if not self._excluded(credential, name)
            for known in self._names(credential, name)
        )

    def written(self, credential: Credential) -> Mapping[str, object]:
        """Return what is written at a credential: its entry of config.yaml, or its file with names made alike."""
        if credential.is_file:
            return {name.replace("_", "-"): value for name, value in credential.metadata.items()}
        place = self._place(credential)
        return place.raw if place else {}

    def error_rules(self, credential: Credential) -> tuple[object, ...]:
        """Return the rules about errors as they are written: the credential's own, then those for all such files."""
        own = self.written(credential).get("request-scoped-errors")
        shared = self._traffic.oauth_error_rules.get(credential.provider, ()) if credential.is_file else ()
        return (*(own if isinstance(own, list) else ()), *shared)

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
        """Return who is known to serve a model; when nobody is, whoever may."""
        known = [
            Offer(credential, family, model.name or model.alias)
            for credential, family, model in self._listed.get(name, ())
        ]
        prefix, slash, bare = name.rpartition("/")
        guessed: list[Offer] = []
        for provider, group in self._open.items():
            family = self._families[provider]
            if bare in family.models or family.matches(bare):
                found = known if bare in family.models else guessed
                found += self._reached(group, prefix if slash else None, bare)
        return tuple(known or guessed)

    def _reached(self, group: Iterable[_Open], prefix: str | None, name: str) -> Iterator[Offer]:
        """Yield those of a family that serve a model asked for with this prefix, or without any."""
        forced = self._traffic.force_model_prefix
        for each in group:
            reached = not (each.prefix and forced) if prefix is None else each.prefix == prefix
            if reached and name not in each.renamed and not self._excluded(each.credential, name):
                yield Offer(each.credential, each.family, name)

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
        """Return the names a file's models do not have any more, because an alias took their place."""
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
    """The family a credential serves requests with, None when it serves none."""
    family = None if credential.disabled else family_of(credential)
    return family if family and family.paths else None


def _tiers(offers: Iterable[Offer]) -> Tiers:
    tiers: defaultdict[int, list[Offer]] = defaultdict(list)
    for offer in offers:
        tiers[offer.credential.priority].append(offer)
    return tuple(
        tuple(sorted(tiers[each], key=lambda offer: offer.credential.id)) for each in sorted(tiers, reverse=True)
    )


def matches(pattern: str, name: str) -> bool:
    """Whether an exclusion pattern means a model: ``*`` stands for anything, nothing else is special, case is not."""
    escaped = pattern.replace("[", "[[]").replace("?", "[?]")
    return fnmatchcase(name.lower(), escaped)
