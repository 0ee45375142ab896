"""Status changes of a fake gateway: planned by `adapter.rules.switching`, one write per section."""

import copy
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from adapter.fake.state import FakeCredential, FakeState
from adapter.port import (
    Account,
    Applied,
    Before,
    Change,
    Conflict,
    Missing,
    Outcome,
    Revision,
    Section,
    Switch,
    Uncertain,
    Unchanged,
)
from adapter.rules.entries import revision_of
from adapter.rules.known_names import KnownNames, meant_by
from adapter.rules.switching import ambiguous, drops_switch, excluded_models, last_wins, refusal


class FakeStatusUpdater:
    """Writes status changes into a `FakeState` and counts the writes by section, `file` or `config.yaml`."""

    def __init__(self, state: FakeState) -> None:
        self._state = state
        self.writes: Counter[str] = Counter()
        self.lookups: list[str] = []
        self.lose_contact = False

    def switch(
        self, changes: Sequence[Change], credentials: Callable[[], Sequence[FakeCredential]], names: KnownNames
    ) -> tuple[Outcome, ...]:
        batch = last_wins(changes)
        accounts = credentials()
        by_name = meant_by(accounts, lambda credential: credential.account.names)
        targets: list[FakeCredential | None] = []
        outcomes: list[Outcome | None] = []
        for change in batch.changes:
            meant, tried = names.find(change.ref, by_name)
            self.lookups.extend(tried)
            target = meant[0] if meant is not None and len(meant) == 1 else None
            targets.append(target)
            outcomes.append(ambiguous(len(meant)) if meant is not None and len(meant) > 1 else _decided(change, target))
        writes = [
            (change, target)
            for change, target, outcome in zip(batch.changes, targets, outcomes, strict=True)
            if outcome is None and target is not None
        ]
        self._write(writes)
        lost, self.lose_contact = self.lose_contact, False
        after = {_place(credential): credential.account.revision for credential in credentials()}
        settled = [
            outcome if outcome is not None else _settled(target, after, lost=lost)
            for outcome, target in zip(outcomes, targets, strict=True)
        ]
        return tuple(settled[place] for place in batch.places)

    def replace(self, section: Section, entries: list[Any]) -> None:
        document = {**self._state.document, section.value: entries}
        self._state.replace_document(document)
        self.writes[section.value] += 1

    def pool_revision(self, accounts: Iterable[Account]) -> Revision:
        return revision_of([[str(account.ref), account.revision] for account in accounts])

    def _write(self, writes: Sequence[tuple[Change, FakeCredential]]) -> None:
        document = dict(self._state.document)
        sections: set[str] = set()
        for change, target in writes:
            if target.record is None:
                _set_switch(self._state.files[target.account.file_name], change)
                self.writes["file"] += 1
                continue
            section = target.record.facts.section.value
            entry = _own_entry(document, section, target.record.position, copied=section in sections)
            if target.account.switch is Switch.PROVIDER:
                _set_switch(entry, change)
            else:
                _set_patterns(entry, target, change)
            sections.add(section)
        if sections:
            self._state.replace_document(document)
        self.writes.update(sections)


def _own_entry(document: dict[str, Any], section: str, position: int, *, copied: bool) -> dict[str, Any]:
    """Return a copy of an entry put in its place, in a copy of its section: most of a large document stays shared."""
    if not copied:
        document[section] = list(document[section])
    entry: dict[str, Any] = copy.deepcopy(document[section][position])
    document[section][position] = entry
    return entry


def _decided(change: Change, target: FakeCredential | None) -> Outcome | None:
    """The outcome of a change that writes nothing; None when it is to be written."""
    if target is None:
        return Missing()
    keys = target.record.provider_keys if target.record else ()
    refused = refusal(target.account.switch, target.account.switch_reason, keys)
    if refused is not None:
        return refused
    if change.expect is not None and change.expect != target.account.revision:
        return Conflict(target.account.revision)
    return Unchanged() if target.account.enabled is not change.disabled else None


def _settled(target: FakeCredential | None, after: dict[object, Revision], *, lost: bool) -> Outcome:
    if lost or target is None:
        return Uncertain("Contact was lost after the change was sent: list the pool again.")
    before = Before(target.account.enabled is False, target.excluded_models, target.switch_written)
    return Applied(before, after[_place(target)])


def _set_switch(holder: dict[str, Any], change: Change) -> None:
    holder["disabled"] = change.disabled
    if drops_switch(change):
        del holder["disabled"]


def _set_patterns(entry: dict[str, Any], target: FakeCredential, change: Change) -> None:
    patterns = excluded_models(target.excluded_models, disabled=change.disabled, restore=change.restore) or ()
    entry["excluded-models"] = list(patterns)
    is_written = change.restore is not None and change.restore.written
    if not patterns and not is_written:
        del entry["excluded-models"]


def _place(credential: FakeCredential) -> object:
    """Return the place of a credential; unlike its id it does not move when the credential is switched."""
    record = credential.record
    if record is None:
        return credential.account.ref
    return (record.facts.section, record.position, record.facts.api_key, record.facts.proxy_url)
