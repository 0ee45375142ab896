"""Edit of single fields of one entry of a section. Pure."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from adapter.port import KeyRef, Revision, Section, errors
from adapter.port.configuration import Entry
from adapter.privacy.secret import Secret
from adapter.rules.entries import KeyRecord, entry_value


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


def with_fields(entries: Sequence[Mapping[str, Any]], position: int, fields: Entry) -> list[Mapping[str, Any]]:
    """Return the entries of a section with some fields of one replaced, and those removed that are null."""
    changes = entry_value(fields)
    edited = {name: value for name, value in {**entries[position], **changes}.items() if value is not None}
    return [edited if place == position else entry for place, entry in enumerate(entries)]
