"""Edit of single fields of one entry of a section. Pure."""

import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Final

from adapter.port import KeyRef, Revision, Section, errors
from adapter.port.configuration import Entry
from adapter.privacy.secret import Secret
from adapter.rules.entries import KeyRecord, entry_value, read_sections

_HEADERS: Final = "headers"
_UNIQUE: Final = frozenset({Section.GEMINI, Section.INTERACTIONS, Section.VERTEX})
"""Sections of which stock gateways (7.2.140) and ours keep one of several equal entries."""


def record_of(records: Iterable[KeyRecord], ref: KeyRef, expect: Revision | None) -> KeyRecord:
    """Return the record of a key.

    Raises:
        NotFound: it is not among them.
        ConflictError: its revision is not `expect`; None compares nothing.
    """
    record = next((record for record in records if record.ref == ref), None)
    if record is None:
        raise errors.NotFound("The entry is not in the configuration any more: list the pool again.")
    if expect is not None and record.revision != expect:
        raise errors.ConflictError("The entry changed since it was listed: look at it again.")
    return record


def section_of(ref: KeyRef) -> Section:
    """Return the section of a key. Raises `NotFound`: it lives in the gateway's memory alone."""
    if ref.section is None:
        raise errors.NotFound("The account has no entry in the configuration.")
    return ref.section


def entry_of(entry: Mapping[str, Any]) -> Entry:
    """Return an entry as the port hands it over."""
    return Entry(Secret(json.dumps(entry)))


def with_fields(
    section: Section, entries: Sequence[Mapping[str, Any]], position: int, fields: Entry
) -> list[Mapping[str, Any]]:
    """Return the entries of a section with some fields of one replaced, and those removed that are null.

    Raises `Rejected` where the gateway would drop the entry, with its key, as the repetition of another one.
    """
    changes = entry_value(fields)
    edited = {name: value for name, value in {**entries[position], **changes}.items() if value is not None}
    return _with_entry(section, entries, position, edited)


def without_headers(
    section: Section, before: Sequence[Mapping[str, Any]], edited: Sequence[Mapping[str, Any]], position: int
) -> list[Mapping[str, Any]] | None:
    """Return what a stock gateway is written before an edit that removes some headers of an entry; None for others.

    Such a gateway (7.2.140) merges the headers it is written with those of its file, so that a removed one comes back.
    Headers that are all removed do not. Raises as `with_fields`.
    """
    old, new = (_headers(entries[position]) for entries in (before, edited))
    if not new or old.keys() <= new.keys():
        return None
    bare = {name: value for name, value in edited[position].items() if name != _HEADERS}
    return _with_entry(section, edited, position, bare)


def _with_entry(
    section: Section, entries: Sequence[Mapping[str, Any]], position: int, edited: Mapping[str, Any]
) -> list[Mapping[str, Any]]:
    after = [edited if place == position else entry for place, entry in enumerate(entries)]
    if section in _UNIQUE and _repeats(section, after, position) and not _repeats(section, entries, position):
        raise errors.Rejected(
            "entry_repeated",
            "The entry would equal another one in key, base URL, proxy, prefix and headers (Vertex: key and base URL),"
            " and the gateway drops the second: nothing was written.",
        )
    return after


def _repeats(section: Section, entries: Sequence[Mapping[str, Any]], position: int) -> bool:
    identities = {record.position: _identity(record) for record in read_sections({section.value: entries})}
    edited = identities.pop(position, None)
    return edited is not None and edited in identities.values()


def _identity(record: KeyRecord) -> Hashable:
    facts = record.facts
    if facts.section is Section.VERTEX:
        return facts.api_key, facts.base_url
    return facts.api_key, facts.base_url, facts.proxy_url, facts.prefix, frozenset(facts.headers.items())


def _headers(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    headers = entry.get(_HEADERS)
    return headers if isinstance(headers, Mapping) else {}
