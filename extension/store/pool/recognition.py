"""Recognition of the entries of a pool among the stored accounts; pure.

Theory of operation. An account is one entry of the gateway, under a number that stays. An entry is recognized by its
identity, in three steps:

- the same identity: it is that account, its other facts are refreshed;
- one entry and one account that is not in the pool any more differ in nothing but the discriminator: proxy, prefix or
  headers were edited, so the entry keeps the number;
- a row from a version that took all entries with one key as one account (`UNSPLIT`): the entry that the action log
  names keeps the number, every other entry becomes an account of its own.

Entries that are identical in everything are numbered in the order of the configuration. When their count changes, the
numbers may have moved from one entry to another, so the past says nothing about the owner any more: they are disowned,
as are entries of a split row that the action log does not name, and edited entries with others of the same key beside
them. Automation enables a disowned account only after a person has said so.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from extension.store.records import AccountFacts, AccountRecord, ActionRecord

UNSPLIT: Final = "unsplit"
"""Discriminator of a row that may stand for several entries."""
NUMBER_MARK: Final = "#"

Identity: TypeAlias = tuple[str, str, str, str, str]
"""(source, section, provider name, fingerprint, discriminator): the identity of an account of a pool."""


@dataclass(slots=True)
class Recognition:
    """Entries by account number, entries without an account, and the consequences for ownership."""

    known: dict[int, AccountFacts] = field(default_factory=dict)
    new: list[AccountFacts] = field(default_factory=list)
    disowned: set[int] = field(default_factory=set)
    heirs: dict[Identity, int] = field(default_factory=dict)
    """New entries that come from a split row, with its number."""
    named: dict[int, list[Identity]] = field(default_factory=dict)
    """By number of a split row: the entries that its last action names."""


def identity(facts: AccountFacts) -> Identity:
    """Return the identity of an account."""
    return facts.source, facts.section, facts.compat_name, facts.fingerprint, facts.discriminator


def recognize(
    stored: Mapping[Identity, AccountRecord],
    seen: Sequence[AccountFacts],
    marks: Mapping[Identity, str],
    last: Mapping[int, ActionRecord],
) -> Recognition:
    """Recognize the entries seen. `marks` name them in the action log, `last` are the last actions by account."""
    found = Recognition()
    strangers: defaultdict[tuple[str, str], list[AccountFacts]] = defaultdict(list)
    for facts in seen:
        record = stored.get(identity(facts))
        if record is None:
            strangers[_key(facts)].append(facts)
        else:
            found.known[record.id] = facts
    left = _left(stored, found, strangers)
    entries = Counter(map(_key, seen)) if strangers else Counter()
    for key, group in strangers.items():
        rows = left[key]
        unsplit = next((row for row in rows if row.facts.discriminator == UNSPLIT), None)
        if unsplit is not None:
            _split(found, unsplit, group, marks, last.get(unsplit.id))
        else:
            _move(found, rows, group, alone=entries[key] == 1)
    _disown_renumbered(found, stored)
    return found


def _key(facts: AccountFacts) -> tuple[str, str]:
    return facts.source, facts.fingerprint


def _left(
    stored: Mapping[Identity, AccountRecord],
    found: Recognition,
    strangers: Mapping[tuple[str, str], Sequence[AccountFacts]],
) -> Mapping[tuple[str, str], list[AccountRecord]]:
    """Return the accounts without an entry that have the key of a stranger."""
    left: defaultdict[tuple[str, str], list[AccountRecord]] = defaultdict(list)
    for record in stored.values() if strangers else ():
        if record.id not in found.known and _key(record.facts) in strangers:
            left[_key(record.facts)].append(record)
    return left


def _move(found: Recognition, rows: Sequence[AccountRecord], group: Sequence[AccountFacts], *, alone: bool) -> None:
    """Recognize an edited entry, where only one account can be meant."""
    peers = Counter(map(_provider, group))
    fitting: defaultdict[tuple[str, str], list[AccountRecord]] = defaultdict(list)
    for row in rows:
        fitting[_provider(row.facts)].append(row)
    for facts in group:
        rows_of_provider = fitting[_provider(facts)]
        if peers[_provider(facts)] == len(rows_of_provider) == 1:
            found.known[rows_of_provider[0].id] = facts
            if not alone:
                found.disowned.add(rows_of_provider[0].id)
        else:
            found.new.append(facts)


def _provider(facts: AccountFacts) -> tuple[str, str]:
    return facts.section, facts.compat_name


def _split(
    found: Recognition,
    row: AccountRecord,
    group: Sequence[AccountFacts],
    marks: Mapping[Identity, str],
    last: ActionRecord | None,
) -> None:
    """Give a row that stands for several entries to one of them, and make the others accounts of their own."""
    written = frozenset(place.get("place", "") for place in last.before.get("written", ())) if last else frozenset()
    named = [facts for facts in group if marks.get(identity(facts)) in written]
    heir = (named or group)[0]
    found.known[row.id] = heir
    if named:
        found.named[row.id] = [identity(facts) for facts in named]
    was_alone = last is None or len(last.before.get("entries", ())) <= 1
    if not named and not (len(group) == 1 and was_alone):
        found.disowned.add(row.id)
    for facts in group:
        if facts is not heir:
            found.new.append(facts)
            found.heirs[identity(facts)] = row.id


def _disown_renumbered(found: Recognition, stored: Mapping[Identity, AccountRecord]) -> None:
    """Disown identical entries whose number in the pool has changed."""
    records = {record.id: record for record in stored.values()}
    groups: defaultdict[Identity, list[int]] = defaultdict(list)
    for number, facts in found.known.items():
        if facts.identical > 1 or records[number].facts.identical > 1:
            *rest, discriminator = identity(facts)
            groups[rest[0], rest[1], rest[2], rest[3], discriminator.partition(NUMBER_MARK)[0]].append(number)
    for numbers in groups.values():
        if any(
            records[number].facts.discriminator != UNSPLIT
            and records[number].facts.identical != found.known[number].identical
            for number in numbers
        ):
            found.disowned.update(numbers)
