"""Plan of a batch of status changes in one section: its new entries, and the outcome of each change. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from adapter.management.listing.sections import ReadSection
from adapter.port import Account, Applied, Before, Change, Conflict, Missing, Outcome, Section, Uncertain, Unchanged
from adapter.port.write_problems import WriteProblem, uncertain
from adapter.rules.entries import KeyRecord
from adapter.rules.identity import IdRule
from adapter.rules.known_names import KnownNames, meant_by_names
from adapter.rules.switching import ambiguous, drops_switch, excluded_models, refusal

_DISABLED = "disabled"
_PATTERNS = "excluded-models"
_SHOWN = 10


@dataclass(frozen=True, slots=True)
class SwitchTarget:
    """One change that is to be written: its place in the batch, its record and the record's place in the section."""

    place: int
    change: Change
    record: KeyRecord
    number: int

    @property
    def before(self) -> Before:
        return Before(self.record.disabled, self.record.excluded_models)


@dataclass(frozen=True, slots=True)
class SectionPlan:
    """The whole list to write, and the changes that lead to it; the other changes are settled."""

    read: ReadSection
    targets: tuple[SwitchTarget, ...]
    entries: tuple[Mapping[str, Any], ...] = field(repr=False)
    settled: Mapping[int, Outcome] = field(default_factory=dict)


def plan_section(
    read: ReadSection, accounts: Sequence[Account], changes: Mapping[int, Change], names: KnownNames
) -> SectionPlan:
    """Plan the changes (by their place in the batch) of one section; `accounts` are its records', in their order.

    Two targets of one provider are one change of it: the last wins.
    """
    numbered = {account.ref: number for number, account in enumerate(accounts)}
    by_name = meant_by_names(accounts)
    settled: dict[int, Outcome] = {}
    targets: list[SwitchTarget] = []
    entries = [dict(entry) for entry in read.entries]
    for place, change in changes.items():
        meant, _ = names.find(change.ref, by_name)
        account = meant[0] if meant is not None and len(meant) == 1 else None
        if meant is not None and len(meant) > 1:
            settled[place] = ambiguous(len(meant))
            continue
        number = numbered[account.ref] if account is not None else -1
        record = read.records[number] if account is not None else None
        decided = _decided(change, account, record)
        if decided is not None or record is None:
            settled[place] = decided or Missing()
            continue
        targets.append(SwitchTarget(place, change, record, number))
        _edit(entries[record.position], record, change)
    return SectionPlan(read, tuple(targets), tuple(entries), settled)


def outcomes(
    targets: Iterable[SwitchTarget], reading: ReadSection, differing: Collection[int], *, whole: bool
) -> dict[int, Outcome]:
    """The outcomes after reading back.

    `differing` are places that are not as sent; all count when the list was sent as a whole, only a target's own when
    a single entry was.
    """
    all_targets = list(targets)
    foreign = set(differing) - {target.record.position for target in all_targets}
    after = {_place(record): record for record in reading.records}
    results: dict[int, Outcome] = {}
    for target in all_targets:
        record = after.get(_place(target.record))
        if record is None or target.record.position in differing:
            results[target.place] = uncertain(
                WriteProblem.ENTRY_DIFFERS, entry=target.record.position + 1, section=reading.section.value
            )
        elif whole and foreign:
            results[target.place] = _others(reading.section, sorted(foreign))
        else:
            results[target.place] = Applied(target.before, record.revision)
    return results


def deciding_twins(reading: ReadSection, rule: IdRule) -> Mapping[int, KeyRecord]:
    """Return, by the place of an entry, the earlier one with the same key and base URL that the gateway goes by.

    A release whose ids are made of key and base URL alone looks an entry up by these two, too, and takes the first: the
    switch of any later one is stored, and has no effect (v6.10.8, v7.1.47 and v7.2.0).
    """
    if rule is not IdRule.KEY_AND_ADDRESS or reading.section.holds_providers:
        return {}
    first: dict[tuple[str, str], KeyRecord] = {}
    twins: dict[int, KeyRecord] = {}
    for record in reading.records:
        known = first.setdefault((record.facts.api_key, record.facts.base_url), record)
        if known is not record:
            twins[record.position] = known
    return twins


def with_twins(
    results: Mapping[int, Outcome], targets: Iterable[SwitchTarget], twins: Mapping[int, KeyRecord]
) -> dict[int, Outcome]:
    """Return outcomes that name the earlier entry where the gateway goes by it, and it is in the other state."""
    named = dict(results)
    for target in targets:
        outcome, twin = named[target.place], twins.get(target.record.position)
        if isinstance(outcome, Applied) and twin is not None and twin.disabled is not target.change.disabled:
            place = f"{twin.facts.section.value}[{twin.position}]"
            named[target.place] = replace(outcome, twin=place)
    return named


def _place(record: KeyRecord) -> tuple[int, str, str]:
    """Return the place of a record; unlike its id it does not move when the account is switched."""
    return (record.position, record.facts.api_key, record.facts.proxy_url)


def _others(section: Section, places: Sequence[int]) -> Uncertain:
    shown = ", ".join(str(place + 1) for place in places[:_SHOWN])
    entries = f"{shown}, …" if len(places) > _SHOWN else shown
    return uncertain(WriteProblem.OTHERS_DIFFER, section=section.value, entries=entries)


def _decided(change: Change, account: Account | None, record: KeyRecord | None) -> Outcome | None:
    if account is None or record is None:
        return Missing()
    refused = refusal(account.switch, account.switch_reason, record.provider_keys)
    if refused is not None:
        return refused
    if change.expect is not None and change.expect != account.revision:
        return Conflict(account.revision)
    return Unchanged() if record.disabled is change.disabled else None


def _edit(entry: dict[str, Any], record: KeyRecord, change: Change) -> None:
    if record.facts.section.holds_providers:
        entry[_DISABLED] = change.disabled
        if drops_switch(change):
            del entry[_DISABLED]
        return
    patterns = excluded_models(record.excluded_models, disabled=change.disabled, restore=change.restore)
    if patterns:
        entry[_PATTERNS] = list(patterns)
    elif patterns is not None:
        entry.pop(_PATTERNS, None)
