"""Entries of the key sections in the management API: read, checked, selected. Pure decisions, no I/O."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gateway.internal.configuration.fields import ENTRIES, HIGHEST_WEIGHT_TEXT, known_profile, unknown_profile_text
from gateway.internal.configuration.model import CompatProvider, Configuration, KeyEntry
from gateway.internal.configuration.normalisation import HIGHEST_WEIGHT, header_part
from gateway.internal.configuration.sections import SECTIONS, Section
from gateway.internal.configuration.shapes import Structure, WrongShape, read_json, read_yaml
from gateway.internal.operations.changing import Refused

Normal = dict[str, Any]
_STRICT = frozenset({Section.GEMINI, Section.INTERACTIONS})
"""Sections whose entries need an unambiguous selector; the others take the first match."""


@dataclass(frozen=True, slots=True)
class Selector:
    """Selector of an entry of a section.

    Attributes:
        index: Position in the list as it is shown.
        match: Key of the entry, or name of a compat provider; None for none.
        base_url: Base URL the entry must have as well; None for any.
    """

    index: int | None = None
    match: str | None = field(default=None, repr=False)
    base_url: str | None = None


def loaded(section: Section, configuration: Configuration) -> Sequence[KeyEntry | CompatProvider]:
    """Return the effective entries of a section, in order; an index of the management API is a position in it."""
    return configuration.compat if section is Section.COMPAT else configuration.entries.get(section, ())


def normals(section: Section, configuration: Configuration) -> list[Normal]:
    """Return the effective entries of a section, normalized."""
    return [read_yaml(ENTRIES[section], entry.raw) for entry in loaded(section, configuration)]


def entries_of(section: Section, items: Sequence[object]) -> list[Normal]:
    """Return the entries of a JSON list, normalized, without ineffective ones.

    Raises:
        Refused: An item is not an entry, or has impossible values.
    """
    try:
        entries = [read_json(ENTRIES[section], item) for item in items]
    except WrongShape:
        raise Refused(400, "invalid body") from None
    facts = SECTIONS[section]
    for index, entry in enumerate(entries):
        place = f"{section.value}[{index}]"
        if facts.needs_base_url and "base-url" not in entry:
            continue
        if facts.needs_key and "api-key" not in entry:
            raise Refused(400, f"{place}.api-key is required")
        _check(entry, f"{place}.")
    return [entries[at] for at in surviving(section, entries)]


def surviving(section: Section, entries: Sequence[Normal]) -> list[int]:
    """Return the positions of the effective entries that do not repeat another one."""
    facts = SECTIONS[section]
    identities: set[object] = set()
    result = []
    for at, entry in enumerate(entries):
        key, base = entry.get("api-key", ""), entry.get("base-url", "")
        if (facts.needs_base_url and not base) or (facts.needs_key and not key):
            continue
        if section is not Section.COMPAT and not (key or base or facts.keeps_empty):
            continue
        identity = _identity(section, entry)
        if identity is None or identity not in identities:
            result.append(at)
        identities.add(identity)
    return result


def _identity(section: Section, entry: Normal) -> object:
    """Return the fields by which entries are repetitions; None where a section allows these."""
    names = ("api-key", "base-url")
    if section is Section.VERTEX:
        return tuple(entry.get(name, "") for name in names)
    if section in _STRICT:
        values = tuple(entry.get(name, "") for name in (*names, "proxy-url", "prefix"))
        return (*values, header_part(entry.get("headers", {}).items()))
    return None


def _check(entry: Normal, place: str) -> None:
    _check_weight(entry.get("weight"), f"{place}weight: ")
    for index, key in enumerate(entry.get("api-key-entries", ())):
        _check_weight(key.get("weight"), f"{place}api-key-entries[{index}].weight: ")
    text = entry.get("fingerprint-profile", "")
    if not known_profile(text):
        raise Refused(400, f"{place}fingerprint-profile: {unknown_profile_text(text)}")


def _check_weight(weight: int | None, place: str) -> None:
    if weight is not None and weight > HIGHEST_WEIGHT:
        raise Refused(400, f"{place}{HIGHEST_WEIGHT_TEXT}")


def patched(section: Section, entry: Normal, patch: Mapping[str, object], *, check: bool = True) -> Normal:
    """Return an entry with a patch applied, which may make it ineffective.

    Args:
        section: The section of the entry.
        entry: Its normal form.
        patch: Fields to replace, as JSON. Fields that cannot be patched are ignored; null leaves a field unchanged, but
            clears ``weight`` and ``disable-cooling``.
        check: Reject impossible values of the right type too.

    Raises:
        Refused: A value has the wrong type or is impossible.
    """
    structure = ENTRIES[section]
    values = {field.name: _value_in(patch, field.wire) for field in structure.fields if field.patchable}
    present = {name: value for name, (there, value) in values.items() if there}
    clearing = {name for name in ("weight", "disable-cooling") if name in present and present[name] is None}
    if not isinstance(present.get("weight", 0) or 0, int) or isinstance(present.get("weight"), bool):
        raise Refused(400, "weight must be an integer")
    if not isinstance(present.get("disable-cooling", False) or False, bool):
        raise Refused(400, "disable-cooling must be a boolean or null")
    written = {name: value for name, value in present.items() if value is not None}
    fields = tuple(field for field in structure.fields if field.name in written)
    try:
        news = read_json(Structure(fields), {field.wire: written[field.name] for field in fields})
    except WrongShape:
        raise Refused(400, "invalid body") from None
    if check:
        _check_patch(news)
    unchanged = {name: value for name, value in entry.items() if name not in written and name not in clearing}
    return {field.name: (unchanged | news)[field.name] for field in structure.fields if field.name in unchanged | news}


def check_shapes(section: Section, patch: Mapping[str, object]) -> None:
    """Check the types of a patch before its entry is selected.

    Raises:
        Refused: A value has the wrong type.
    """
    judged_later = {"weight", "disable-cooling"}
    judged = {name: value for name, value in patch.items() if name.lower() not in judged_later}
    patched(section, {}, judged, check=False)


def _check_patch(news: Normal) -> None:
    if news.get("weight") is not None:
        _check_weight(news["weight"], "")
    _check({name: value for name, value in news.items() if name != "weight"}, "")


def _value_in(patch: Mapping[str, object], name: str) -> tuple[bool, object]:
    if name in patch:
        return True, patch[name]
    return next(((True, value) for key, value in patch.items() if key.lower() == name), (False, None))


def to_patch(section: Section, entries: Sequence[Normal], selector: Selector) -> int:
    """Return the position of the entry to patch.

    Raises:
        Refused: There is none, or more than one where that matters.
    """
    if selector.index is not None and 0 <= selector.index < len(entries):
        return selector.index
    if selector.match is None:
        raise Refused(404, "item not found")
    positions = _named(section, entries, selector.match.strip(), selector.base_url if section in _STRICT else None)
    if not positions:
        raise Refused(404, "item not found")
    if section in _STRICT and len(positions) > 1:
        raise Refused(400, "multiple items match; index is required")
    return positions[0]


def to_delete(section: Section, entries: Sequence[Normal], selector: Selector) -> list[int]:
    """Return the positions of the entries to delete; [] for none where that is no error.

    Raises:
        Refused: There is no selector, or an ambiguous one.
    """
    match = selector.match if section is Section.COMPAT else (selector.match or "").strip()
    if match:
        base = None if section is Section.COMPAT else selector.base_url
        positions = _named(section, entries, match, base)
        if section is Section.COMPAT:
            return positions
        if section in _STRICT and not positions:
            raise Refused(404, "item not found")
        if selector.base_url is None and len(positions) > 1:
            raise Refused(400, "multiple items match api-key; base-url is required")
        if section in _STRICT and len(positions) > 1:
            raise Refused(400, "multiple items match; index is required")
        return positions
    if selector.index is not None and 0 <= selector.index < len(entries):
        return [selector.index]
    raise Refused(400, "missing name or index" if section is Section.COMPAT else "missing api-key or index")


def _named(section: Section, entries: Sequence[Normal], match: str, base_url: str | None) -> list[int]:
    name = "name" if section is Section.COMPAT else "api-key"
    return [
        at
        for at, entry in enumerate(entries)
        if entry.get(name, "") == match and (base_url is None or entry.get("base-url", "") == base_url.strip())
    ]
