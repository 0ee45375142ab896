"""Actions on hold, by host; pure."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from extension.store.batch_records import HeldRecord


@dataclass(frozen=True, slots=True)
class HostOnHold:
    """Host with actions on hold: their number, and the reason of the first."""

    host: str
    accounts: int
    reason: str


def by_host(held: Iterable[HeldRecord]) -> tuple[HostOnHold, ...]:
    """Group actions on hold by the host whose failures are the cause, the largest group first."""
    groups: defaultdict[str, list[HeldRecord]] = defaultdict(list)
    for each in held:
        groups[each.host].append(each)
    ordered = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    return tuple(HostOnHold(host, len(kept), kept[0].text) for host, kept in ordered)
