"""Parts of a configuration that a write through a gateway would lose. Pure.

A gateway saves the entries it knows from memory. A field that stands in the file and that no entry of the gateway's own
answer shows is unknown to its release, and gone after the next save. So is an entry that it has left out when it read
the file, such as the second one with the same key and base URL.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from adapter.port.section import Section

_KEYS: Final = "api-key-entries"
LEGACY_KEYS: Final = "api-keys"
"""List of keys of a compatible provider that no present release reads."""
_INTERNAL: Final = frozenset({"auth-index"})


@dataclass(frozen=True, slots=True)
class LostParts:
    """Names of what is lost: fields, providers with a legacy list of keys, and entries left out, by section."""

    fields: tuple[str, ...]
    legacy: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All parts, each as a few words."""
        legacy = (f"{LEGACY_KEYS} of {name} (openai-compatibility)" for name in self.legacy)
        return (*self.left_out, *legacy, *self.fields)


def lost_parts(config: Mapping[str, Any], shown: Mapping[Section, Sequence[Mapping[str, Any]]]) -> LostParts:
    """Return what a save loses of a parsed config.yaml; `shown` are the entries of each section the gateway has."""
    fields: list[str] = []
    legacy: list[str] = []
    left_out: list[str] = []
    for section, answered in shown.items():
        every = _entries(config.get(section.value))
        stored = _in_use(every, answered)
        fields += [f"{section.value}[].{name}" for name in sorted(_names(stored) - _names(answered) - {LEGACY_KEYS})]
        nested = _names(_nested(stored)) - _names(_nested(answered))
        fields += [f"{section.value}[].{_KEYS}[].{name}" for name in sorted(nested)]
        legacy += _lost_keys(stored, answered)
        if len(every) > len(answered):
            left_out.append(f"{len(every) - len(answered)} of the {len(every)} entries of {section.value}")
    return LostParts(tuple(fields), tuple(legacy), tuple(left_out))


def _in_use(stored: Sequence[Mapping[str, Any]], answered: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the stored entries without those that the gateway has left out: their fields say nothing about it."""
    if len(stored) <= len(answered):
        return list(stored)
    room = Counter(_identity(entry) for entry in answered)
    in_use = []
    for entry in stored:
        identity = _identity(entry)
        if room[identity] > 0:
            room[identity] -= 1
            in_use.append(entry)
    return in_use


def _identity(entry: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(str(entry.get(name) or "").strip() for name in ("name", "api-key", "base-url"))


def _lost_keys(stored: Iterable[Mapping[str, Any]], answered: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the names of the providers with keys in a legacy list that the gateway does not show."""
    shown_keys = {str(key.get("api-key") or "").strip() for key in _nested(answered)}
    return [
        str(provider.get("name") or "a provider without a name")
        for provider in stored
        if any(str(key).strip() not in shown_keys for key in _list(provider.get(LEGACY_KEYS)))
    ]


def _names(entries: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the names of the fields that have a value in some entry; a release leaves empty ones out."""
    return {str(name) for entry in entries for name, value in entry.items() if value and name not in _INTERNAL}


def _nested(entries: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [key for entry in entries for key in _entries(entry.get(_KEYS))]


def _entries(value: Any) -> list[Mapping[str, Any]]:
    return [entry for entry in _list(value) if isinstance(entry, Mapping)]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
