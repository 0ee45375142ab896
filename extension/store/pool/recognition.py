"""Recognition of the entries of a pool among the stored accounts; pure.

Theory of operation. An account is one entry of the gateway, under a number that stays. An entry is recognized by its
identity, in two steps:

- the same identity: it is that account, its other facts are refreshed;
- one entry and one account that is not in the pool any more differ in nothing but the discriminator: proxy, prefix or
  headers were edited, so the entry keeps the number.

Entries that are identical in everything are numbered in the order of the configuration. When their count changes, the
numbers may have moved from one entry to another, so the past says nothing about the owner any more: they are disowned,
as are edited entries with others of the same key beside them. Automation enables a disowned account only after a person
has said so.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from extension.store.records import AccountFacts, AccountRecord

NUMBER_MARK: Final = "#"

Identity: TypeAlias = tuple[str, str, str, str, str]
"""(source, section, provider name, fingerprint, discriminator): the identity of an account of a pool."""


@dataclass(slots=True)
class Recognition:
    """Entries by account number, entries without an account, and the consequences for ownership."""

    known: dict[int, AccountFacts] = field(default_factory=dict)
    new: list[AccountFacts] = field(default_factory=list)
    disowned: set[int] = field(default_factory=set)


def identity(facts: AccountFacts) -> Identity:
    """Return the identity of an account."""
    return facts.source, facts.section, facts.compat_name, facts.fingerprint, facts.discriminator


def recognize(stored: Mapping[Identity, AccountRecord], entries: Sequence[AccountFacts]) -> Recognition:
    """Recognize the entries of a pool."""
    recognition = Recognition()
    strangers: defaultdict[tuple[str, str], list[AccountFacts]] = defaultdict(list)
    for facts in entries:
        record = stored.get(identity(facts))
        if record is None:
            strangers[_key(facts)].append(facts)
        else:
            recognition.known[record.id] = facts
    absent: defaultdict[tuple[str, str], list[AccountRecord]] = defaultdict(list)
    for record in stored.values() if strangers else ():
        if record.id not in recognition.known:
            absent[_key(record.facts)].append(record)
    counts = Counter(map(_key, entries)) if strangers else Counter()
    for key, group in strangers.items():
        _move(recognition, absent[key], group, alone=counts[key] == 1)
    _disown_renumbered(recognition, stored)
    return recognition


def _key(facts: AccountFacts) -> tuple[str, str]:
    return facts.source, facts.fingerprint


def _move(
    recognition: Recognition, rows: Sequence[AccountRecord], group: Sequence[AccountFacts], *, alone: bool
) -> None:
    """Recognize an edited entry, where only one account can be meant."""
    peers = Counter(map(_provider, group))
    fitting: defaultdict[tuple[str, str], list[AccountRecord]] = defaultdict(list)
    for row in rows:
        fitting[_provider(row.facts)].append(row)
    for facts in group:
        rows_of_provider = fitting[_provider(facts)]
        if peers[_provider(facts)] == len(rows_of_provider) == 1:
            recognition.known[rows_of_provider[0].id] = facts
            if not alone:
                recognition.disowned.add(rows_of_provider[0].id)
        else:
            recognition.new.append(facts)


def _provider(facts: AccountFacts) -> tuple[str, str]:
    return facts.section, facts.compat_name


def _disown_renumbered(recognition: Recognition, stored: Mapping[Identity, AccountRecord]) -> None:
    """Disown identical entries whose number in the pool has changed."""
    records = {record.id: record for record in stored.values()}
    groups: defaultdict[Identity, list[int]] = defaultdict(list)
    for number, facts in recognition.known.items():
        if facts.identical > 1 or records[number].facts.identical > 1:
            *rest, discriminator = identity(facts)
            groups[rest[0], rest[1], rest[2], rest[3], discriminator.partition(NUMBER_MARK)[0]].append(number)
    for numbers in groups.values():
        if any(records[number].facts.identical != recognition.known[number].identical for number in numbers):
            recognition.disowned.update(numbers)
