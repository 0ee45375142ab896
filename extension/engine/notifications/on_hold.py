"""Actions on hold, by host; pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from extension.store.batch_records import HeldRecord


@dataclass(frozen=True, slots=True)
class CountedReason:
    """Reason of actions on hold, and the number of accounts it holds for; no `code` for a row of an early version."""

    accounts: int
    text: str
    code: str
    params: Mapping[str, int]

    def as_json(self) -> dict[str, Any]:
        """Return the reason as JSON."""
        return {"accounts": self.accounts, "code": self.code, "params": dict(self.params), "text": self.text}


@dataclass(frozen=True, slots=True)
class HostOnHold:
    """Host with actions on hold: their number and their reasons, the most frequent first."""

    host: str
    accounts: int
    reasons: tuple[CountedReason, ...]

    @property
    def reason(self) -> str:
        """All reasons as one text, each with its number where there are several."""
        if len(self.reasons) == 1:
            return self.reasons[0].text
        return "; ".join(f"{each.accounts}: {each.text}" for each in self.reasons)


def by_host(held: Iterable[HeldRecord]) -> tuple[HostOnHold, ...]:
    """Group actions on hold by the host whose failures are the cause, the largest group first."""
    groups: defaultdict[str, list[HeldRecord]] = defaultdict(list)
    for each in held:
        groups[each.host].append(each)
    ordered = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    return tuple(HostOnHold(host, len(kept), _counted(kept)) for host, kept in ordered)


def _counted(held: list[HeldRecord]) -> tuple[CountedReason, ...]:
    examples = {each.text: each for each in reversed(held)}
    counts = Counter(each.text for each in held).most_common()
    return tuple(CountedReason(count, text, examples[text].code, examples[text].params) for text, count in counts)
