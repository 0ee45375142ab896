"""Maps of config.yaml for OAuth files: channel (a provider) to patterns, aliases or rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gateway.internal.configuration.difference import Listed, list_edits
from gateway.internal.configuration.edits import Edit, Remove, Set
from gateway.internal.configuration.fields import RULE
from gateway.internal.configuration.normalisation import excluded_models
from gateway.internal.configuration.shapes import (
    Field,
    ListOf,
    Shape,
    Structure,
    Switch,
    Text,
    WrongShape,
    read_json,
    read_yaml,
    show,
)

Channels = dict[str, list[Any]]
_ALIAS = Structure(
    (
        Field("name", Text(), always=True, tidy=str.strip),
        Field("alias", Text(), always=True, tidy=str.strip),
        Field("fork", Switch()),
        Field("display-name", Text(), tidy=str.strip),
        Field("force-mapping", Switch()),
    )
)


@dataclass(frozen=True, slots=True)
class OAuthMap:
    """A map for OAuth files.

    Attributes:
        name: Its key in config.yaml and its path below ``/v0/management``.
        item: Shape of the items of its lists.
        word: The stock gateway's word for a channel in errors.
        items_name: Field of a ``PATCH`` that holds the list.
    """

    name: str
    item: Shape
    word: str
    items_name: str

    def read(self, document: Mapping[str, Any]) -> Channels:
        """Return the channels of a document, normalized."""
        written = document.get(self.name)
        channels = written if isinstance(written, dict) else {}
        return self._tidied({str(name): self._items(items) for name, items in channels.items()})

    def read_json(self, value: object) -> Channels:
        """Return the channels of a JSON object, or of its ``items``.

        As in the stock gateway, an object in which not every value is a list, and which has no ``items``, has none.

        Raises:
            WrongShape: It is not an object, or a list in it has items of another type.
        """
        if not isinstance(value, dict):
            raise WrongShape("not an object")
        try:
            return self._tidied({name: read_json(ListOf(self.item), items) for name, items in value.items()})
        except WrongShape:
            items = next((item for name, item in value.items() if name.lower() == "items"), None)
            if items is None:
                return {}
            return self._tidied({name: read_json(ListOf(self.item), rules) for name, rules in _mapping(items).items()})

    def shown(self, channels: Channels) -> dict[str, Any]:
        return {name: show(ListOf(self.item), items) for name, items in sorted(channels.items())}

    def edits(self, document: Mapping[str, Any], goal: Channels) -> list[Edit]:
        """Return the edits that make the channels of a document equal the goal."""
        written = document.get(self.name)
        if not isinstance(written, dict) or not written:
            return [Set((self.name,), dict(goal))] if goal else []
        edits: list[Edit] = []
        places = {str(name).strip().lower(): str(name) for name in written}
        for name, items in goal.items():
            raw = written.get(places.get(name, name))
            if isinstance(raw, list) and raw:
                path = (self.name, places[name])
                edits += list_edits(Listed(path, self.item, raw, tidy=self._tidy), items)
            else:
                edits.append(Set((self.name, places.get(name, name)), items))
        gone: list[Edit] = [Remove((self.name, place)) for name, place in places.items() if name not in goal]
        return edits + gone

    def _items(self, items: object) -> list[Any]:
        try:
            return list(read_yaml(ListOf(self.item), items))
        except WrongShape:
            return []

    def _tidied(self, channels: Mapping[str, list[Any]]) -> Channels:
        tidied = {name.strip().lower(): self._tidy(items) for name, items in channels.items()}
        return {name: items for name, items in tidied.items() if name and items}

    def _tidy(self, items: list[Any]) -> list[Any]:
        if self.item is RULE:
            return [rule for rule in map(_rule, items) if rule]
        return _aliases(items) if self.item is _ALIAS else list(excluded_models(items))


def _mapping(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise WrongShape("not an object")
    return value


def _aliases(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    by_alias: dict[str, dict[str, Any]] = {}
    for item in items:
        name, alias = item.get("name", ""), item.get("alias", "")
        if name and alias and name.lower() != alias.lower():
            by_alias.setdefault(alias.lower(), item)
    return list(by_alias.values())


def _rule(rule: dict[str, Any]) -> dict[str, Any]:
    """Return a normalized rule; {} for one that can never apply."""
    fields: dict[str, Any] = {"status": rule.get("status", 0)}
    for name in ("match", "match-regexr"):
        fields[name] = [text.strip() for text in rule.get(name, ()) if text.strip()]
    fields["action"] = rule.get("action", "").strip().lower()
    usable = fields["status"] > 0 and fields["action"] and (fields["match"] or fields["match-regexr"])
    return {name: value for name, value in fields.items() if value} if usable else {}


OAUTH_MAPS = (
    OAuthMap("oauth-excluded-models", Text(), "provider", "models"),
    OAuthMap("oauth-model-alias", _ALIAS, "channel", "aliases"),
    OAuthMap("oauth-request-scoped-errors", RULE, "channel", "rules"),
)
