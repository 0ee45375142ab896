"""A section as the gateway returns it: its entries, and the live ones among them. Pure.

The answer carries `auth-index` beside the configured fields; it is the join to calls and usage, and missing where the
entry is not live: its provider is switched off, or the reload of a change is still going on.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from adapter.management.client.transport import Reply
from adapter.management.listing.key_activity import KeyActivity
from adapter.port import Account, Section, errors
from adapter.rules.entries import KeyRecord, read_sections
from adapter.rules.identity import IdRule

INDEX: Final = "auth-index"
_KEYS: Final = "api-key-entries"
_EMPTY: Final[tuple[object, ...]] = (None, "", [], {}, False, ())


@dataclass(frozen=True, slots=True)
class ReadSection:
    """One section at one moment: the entries without their indexes, the records, and each record's live index."""

    section: Section
    entries: tuple[Mapping[str, Any], ...] = field(repr=False)
    records: tuple[KeyRecord, ...] = field(repr=False)
    indexes: Mapping[int, tuple[str, ...]]
    """By place in the list: the index of each key entry, or of the entry itself; empty where it is not live."""
    mark: str = ""
    """Changes with any byte of the answer."""

    def live(self) -> dict[int, str]:
        """The live index of every record, by the record's place in `records`."""
        counts: dict[int, int] = {}
        indexes: dict[int, str] = {}
        for place, record in enumerate(self.records):
            number = counts.get(record.position, 0)
            counts[record.position] = number + 1
            candidates = self.indexes.get(record.position, ())
            indexes[place] = candidates[number] if number < len(candidates) else ""
        return indexes

    def settled(self, before: "ReadSection | None" = None) -> bool:
        """Return whether exactly the enabled entries are live.

        Entries that were enabled and not live in the reading `before` are left out: the release ignores such entries,
        as older ones do without a key.
        """
        live = self.live()
        ignored = before.idle() if before is not None else frozenset()
        return all(
            bool(live[place]) is _expected(record) or (not live[place] and record.gateway_id in ignored)
            for place, record in enumerate(self.records)
        )

    def idle(self) -> frozenset[str]:
        """Ids of the entries that are enabled and not live."""
        live = self.live()
        return frozenset(
            record.gateway_id for place, record in enumerate(self.records) if _expected(record) and not live[place]
        )


def mark_of(body: bytes) -> str:
    """A mark of an answer's bytes."""
    return hashlib.sha256(body).hexdigest()


def parse_section(section: Section, body: bytes, rule: IdRule = IdRule.WHOLE_ENTRY) -> ReadSection:
    """Read the answer to a section's GET; `rule` is the release's rule for ids.

    Raises:
        Unavailable: it is none.
    """
    try:
        answer = json.loads(body)
    except ValueError:
        answer = None
    listed = answer.get(section.value) if isinstance(answer, Mapping) else None
    if listed is None and isinstance(answer, Mapping) and section.value in answer:
        listed = []
    if not isinstance(listed, list) or not all(isinstance(entry, Mapping) for entry in listed):
        raise errors.Unavailable(f"The gateway's answer for {section.value} is not a list of entries.")
    entries = tuple(_without_index(entry) for entry in listed)
    indexes = {place: _indexes(entry) for place, entry in enumerate(listed)}
    return ReadSection(section, entries, read_sections({section.value: list(entries)}, rule), indexes, mark_of(body))


def without_lingering(read: ReadSection) -> ReadSection:
    """Return a reading in which switched-off providers have no index, for releases that go on showing the last one."""
    off = {record.position for record in read.records if not _expected(record)}
    return replace(
        read, indexes={place: () if place in off else entry_indexes for place, entry_indexes in read.indexes.items()}
    )


def canonical(entry: Any) -> Any:
    """An entry in the form in which two that mean the same are equal: without indexes and without empty values."""
    if isinstance(entry, Mapping):
        shown = {name: canonical(value) for name, value in entry.items() if name != INDEX}
        return {name: value for name, value in shown.items() if value not in _EMPTY or _is_number(value)}
    if isinstance(entry, list | tuple):
        return [canonical(value) for value in entry]
    return entry


def differences(expected: Sequence[Any], actual: Sequence[Any]) -> tuple[int, ...]:
    """The places at which two lists of entries do not mean the same; the length of the shorter when they differ in it.

    A number of entries that differs counts as a difference at every place from the shorter one's end.
    """
    longest, shortest = max(len(expected), len(actual)), min(len(expected), len(actual))
    unequal = [place for place in range(shortest) if canonical(expected[place]) != canonical(actual[place])]
    return (*unequal, *range(shortest, longest))


def _expected(record: KeyRecord) -> bool:
    return not (record.facts.section.holds_providers and record.disabled)


def meaning_of(entries: Sequence[Any]) -> str:
    """A mark that is equal for entries that mean the same."""
    return mark_of(json.dumps(canonical(entries), sort_keys=True).encode())


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _without_index(entry: Mapping[str, Any]) -> dict[str, Any]:
    values = {name: value for name, value in entry.items() if name != INDEX}
    keys = values.get(_KEYS)
    if isinstance(keys, list):
        values[_KEYS] = [
            {name: value for name, value in key.items() if name != INDEX} if isinstance(key, Mapping) else key
            for key in keys
        ]
    return values


def _indexes(entry: Mapping[str, Any]) -> tuple[str, ...]:
    keys = entry.get(_KEYS)
    owners = [key for key in keys if isinstance(key, Mapping)] if isinstance(keys, list) and keys else [entry]
    return tuple(str(owner.get(INDEX) or "") for owner in owners)


@dataclass(frozen=True, slots=True)
class KeptSection:
    """Accounts of a section with the mark of the answer they were made from, and the counters they show.

    Making ten thousand of them takes most of a second, and a pool that is read again and again rarely changes.
    """

    mark: str
    meaning: str
    """Mark of the entries without their indexes; empty where an enabled entry is not live."""
    reply: Reply = field(repr=False)
    activity: KeyActivity
    records: Sequence[KeyRecord] = field(repr=False)
    accounts: tuple[Account, ...] = field(repr=False)

    def with_activity(self, activity: KeyActivity) -> "KeptSection":
        """Return it with the counters of now; an account whose counters are as before stays the same object."""
        if activity == self.activity:
            return self
        accounts = tuple(
            account if account.activity == counted else replace(account, activity=counted)
            for account, counted in zip(self.accounts, activity.of(self.records), strict=True)
        )
        return replace(self, activity=activity, accounts=accounts)
