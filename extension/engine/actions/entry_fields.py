"""Fields of a configuration entry that a person can edit, as shown and as written. Pure.

A secret value of a header is shown as `HIDDEN`, and one that comes back as `HIDDEN` stays as it is. Of a model only
name and alias are shown, so that its other settings stay with it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from adapter.rules.entry_headers import header_secrets

HIDDEN: Final = "••••"
NAMES: Final = ("base-url", "priority", "prefix", "models", "headers")
"""Fields of an entry that are shown; no other one is ever written."""


@dataclass(frozen=True, slots=True)
class EntryFields:
    """Editable fields of an entry; a model is its name and the alias for clients, which may be empty."""

    base_url: str
    priority: int
    prefix: str
    models: tuple[tuple[str, str], ...]
    headers: Mapping[str, str]

    def texts(self) -> Mapping[str, str]:
        """Return the value of each field as a text for people."""
        models = (f"{name} → {alias}" if alias and alias != name else name for name, alias in self.models)
        headers = (f"{name}: {value}" for name, value in self.headers.items())
        values = (self.base_url, str(self.priority), self.prefix, "\n".join(models), "\n".join(headers))
        return dict(zip(NAMES, values, strict=True))


def shown(entry: Mapping[str, Any]) -> EntryFields:
    """Return the fields of an entry with the secrets of its headers and base URL hidden."""
    fields = _fields(entry)
    secret = _user_information(fields.base_url)
    headers = {name: HIDDEN if any(header_secrets({name: value})) else value for name, value in fields.headers.items()}
    return replace(
        fields, base_url=fields.base_url.replace(secret, HIDDEN) if secret else fields.base_url, headers=headers
    )


def changes(entry: Mapping[str, Any], form: EntryFields) -> Mapping[str, Any]:
    """Return the fields to write, null for those to remove; a field that is as shown is not among them."""
    before = shown(entry)
    written = {
        "base-url": form.base_url.replace(HIDDEN, _user_information(_text(entry, "base-url"))),
        "priority": form.priority,
        "prefix": form.prefix,
        "models": _models(entry, form.models),
        "headers": _revealed(form.headers, _headers(entry)),
    }
    old, new = before.texts(), form.texts()
    return {name: written[name] or None for name in NAMES if old[name] != new[name]}


def _fields(entry: Mapping[str, Any]) -> EntryFields:
    priority = entry.get("priority")
    models = ((_text(model, "name"), _text(model, "alias")) for model in _listed(entry))
    return EntryFields(
        _text(entry, "base-url"),
        priority if isinstance(priority, int) else 0,
        _text(entry, "prefix"),
        tuple(models),
        _headers(entry),
    )


def _headers(entry: Mapping[str, Any]) -> dict[str, str]:
    headers = entry.get("headers")
    return {str(name): str(value) for name, value in headers.items()} if isinstance(headers, Mapping) else {}


def _revealed(headers: Mapping[str, str], before: Mapping[str, str]) -> dict[str, str]:
    return {name: before.get(name, "") if value == HIDDEN else value for name, value in headers.items()}


def _user_information(address: str) -> str:
    """Return the user information of an address; empty without one."""
    return address.partition("//")[2].partition("/")[0].rpartition("@")[0]


def _models(entry: Mapping[str, Any], models: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    """Return the models to write, each with the settings of the one that it was: by both names, one, or its place."""
    rest = dict(enumerate(_listed(entry)))
    has_places = len(rest) == len(models)
    before: dict[int, Mapping[str, Any]] = {}
    for is_same in (_is_same, _has_name, _has_alias):
        for place, model in enumerate(models):
            meant = next((number for number, other in rest.items() if is_same(other, model)), None)
            if place not in before and meant is not None:
                before[place] = rest.pop(meant)
    return [
        _model(before.get(place) or (rest.get(place, {}) if has_places else {}), name, alias)
        for place, (name, alias) in enumerate(models)
    ]


def _model(before: Mapping[str, Any], name: str, alias: str) -> dict[str, Any]:
    written = {**before, "name": name}
    if alias:
        written["alias"] = alias
    elif _text(before, "alias") not in {"", name}:  # its name is the alias of a model without one
        del written["alias"]
    return written


def _is_same(other: Mapping[str, Any], model: tuple[str, str]) -> bool:
    return _has_name(other, model) and _text(other, "alias") in {model[1], model[1] or model[0]}


def _has_name(other: Mapping[str, Any], model: tuple[str, str]) -> bool:
    return _text(other, "name") == model[0]


def _has_alias(other: Mapping[str, Any], model: tuple[str, str]) -> bool:
    return bool(model[1]) and _text(other, "alias") == model[1]


def _listed(entry: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    models = entry.get("models")
    return [model for model in models if isinstance(model, Mapping)] if isinstance(models, list) else []


def _text(values: Mapping[str, Any], name: str) -> str:
    value = values.get(name)
    return "" if value is None else str(value).strip()
