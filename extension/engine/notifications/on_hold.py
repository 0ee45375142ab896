"""Actions on hold, by host; pure."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from extension.store.batch_records import HeldRecord


@dataclass(frozen=True, slots=True)
class HostOnHold:
    """Host with actions on hold: their number, and the reason of the first as sentence and as code with parameters.

    `code` is empty for a reason that an earlier version stored.
    """

    host: str
    accounts: int
    reason: str
    code: str = ""
    params: Mapping[str, int] = field(default_factory=dict)


def by_host(held: Iterable[HeldRecord]) -> tuple[HostOnHold, ...]:
    """Group actions on hold by the host whose failures are the cause, the largest group first."""
    groups: defaultdict[str, list[HeldRecord]] = defaultdict(list)
    for each in held:
        groups[each.host].append(each)
    ordered = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    return tuple(
        HostOnHold(host, len(kept), kept[0].text, kept[0].code, kept[0].params) for host, kept in ordered
    )
