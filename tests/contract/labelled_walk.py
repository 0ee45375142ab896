"""Disable, enable and undo of every account of the labelled pool, with the configuration compared after each step."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from adapter.management.listing.sections import canonical
from adapter.port import Account, Applied, Change, FileRef, Gateway, KeyRef, Refused, Section
from tests.contract.labelled_pool import FILES, Expected, LabelledEntry
from tests.contract.labelled_rules import ReleaseRule


@dataclass(frozen=True, slots=True)
class Walk:
    """The pool on one gateway, which has loaded `entries` from a folder and treats them by `rule`.

    `unchanged` returns a value that has to be the same after an undo as before the change.
    """

    gateway: Gateway
    folder: Path
    rule: ReleaseRule
    entries: Sequence[LabelledEntry]
    unchanged: Callable[[], object]

    async def go(self) -> int:
        """Switch everything off, take that back, switch it off and on; return the number of accounts."""
        rows, expected = _counted(accounts := await self._accounts()), self._counts()
        assert rows == expected, f"more: {rows - expected}, fewer: {expected - rows}"
        before = self.unchanged()
        undo = await self._switched(disabled=True)
        self._compare(disabled=True)
        assert {type(outcome) for outcome in await self.gateway.set_disabled(undo)} == {Applied}
        self._compare(disabled=False)
        assert self.unchanged() == before
        await self._switched(disabled=True)
        self._compare(disabled=True)
        await self._switched(disabled=False)
        self._compare(disabled=False)
        return len(accounts)

    async def _accounts(self) -> Sequence[Account]:
        return (await self.gateway.accounts()).accounts

    async def _switched(self, *, disabled: bool) -> list[Change]:
        """Switch every account, and return the changes that take that back."""
        accounts = await self._accounts()
        outcomes = await self.gateway.set_disabled([Change(account.ref, disabled=disabled) for account in accounts])
        for account, outcome in zip(accounts, outcomes, strict=True):
            assert isinstance(outcome, Applied if _has_switch(account) else Refused), (account.ref, outcome)
        listed = {account.enabled for account in await self._accounts() if _has_switch(account)}
        assert listed == {not disabled}
        return [
            _taking_back(account, outcome)
            for account, outcome in zip(accounts, outcomes, strict=True)
            if isinstance(outcome, Applied)
        ]

    def _compare(self, *, disabled: bool) -> None:
        """Compare config.yaml and the auth files with the table, in the form in which equal meanings are equal."""
        config = canonical(yaml.safe_load((self.folder / "config.yaml").read_text(encoding="utf-8")))
        for section, expected in self.rule.stored(self.entries, disabled=disabled).items():
            assert config.get(section, []) == expected, section
        for name, content in FILES.items():
            document = yaml.safe_load((self.folder / "auths" / name).read_text(encoding="utf-8"))
            assert canonical(document) == canonical({**content, "disabled": disabled}), name

    def _counts(self) -> Counter[tuple[Section | None, bool]]:
        counts: Counter[tuple[Section | None, bool]] = Counter({(None, True): len(FILES)})
        for entry in self.rule.listed(self.entries):
            counts[entry.section, entry.expected is Expected.SWITCHED] += entry.keys
        return counts


def other_settings(config: Path) -> dict[str, Any]:
    """Return the settings beside the sections that hold keys."""
    document = canonical(yaml.safe_load(config.read_text(encoding="utf-8")))
    return {name: value for name, value in document.items() if name not in {section.value for section in Section}}


def _taking_back(account: Account, outcome: Applied) -> Change:
    return Change(account.ref, disabled=False, restore=outcome.before)


def _has_switch(account: Account) -> bool:
    return account.compat_name != "several"


def _counted(accounts: Sequence[Account]) -> Counter[tuple[Section | None, bool]]:
    counts: Counter[tuple[Section | None, bool]] = Counter()
    for account in accounts:
        assert isinstance(account.ref, FileRef | KeyRef)
        section = account.ref.section if isinstance(account.ref, KeyRef) else None
        counts[section, _has_switch(account)] += 1
    return counts
