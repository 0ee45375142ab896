"""Actions on hold, by host and reason; pure."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from extension.store.batch_records import HeldRecord


@dataclass(frozen=True, slots=True)
class CountedHold:
    """Reason of actions on hold at one host, as sentence and as code with parameters, and the number of its actions.

    `code` is empty for a reason that an earlier version stored.
    """

    accounts: int
    reason: str
    code: str
    params: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class HostOnHold:
    """Host with actions on hold: their number, and their reasons, the most frequent first."""

    host: str
    accounts: int
    reasons: tuple[CountedHold, ...]


def by_host(held: Iterable[HeldRecord]) -> tuple[HostOnHold, ...]:
    """Group actions on hold by the host whose failures are the cause, the largest group first."""
    groups: defaultdict[str, list[HeldRecord]] = defaultdict(list)
    for each in held:
        groups[each.host].append(each)
    ordered = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    return tuple(HostOnHold(host, len(kept), _counted(kept)) for host, kept in ordered)


def _counted(kept: Sequence[HeldRecord]) -> tuple[CountedHold, ...]:
    groups: defaultdict[str, list[HeldRecord]] = defaultdict(list)
    for each in kept:
        groups[each.text].append(each)
    ordered = sorted(groups.items(), key=lambda group: -len(group[1]))
    return tuple(CountedHold(len(alike), reason, alike[0].code, alike[0].params) for reason, alike in ordered)
