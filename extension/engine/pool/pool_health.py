"""Health of the pool in figures, for the overview; pure."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from extension.engine.pool.table import NOT_CHECKED, PoolRow, host_of, open_recommendation
from extension.inspection.accounts.account import Source
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.store.records import WindowRecord

OLD_MS: Final = 7 * 24 * 3_600_000
"""Age from which on the result of an enabled account counts as old."""
ENDING_PERCENT: Final = 80.0
"""Share of a quota window, or of its threshold, from which on it counts as about to end."""
MOST_NAMED: Final = 20
"""Hosts and accounts that are named; the rest is counted."""
_RELOGIN: Final = frozenset({Verdict.RELOGIN_NEEDED.value, Verdict.REVOKED.value})
_FULL: Final = 100.0


@dataclass(frozen=True, slots=True)
class HostHealth:
    """Accounts of one host and source by status; the empty status is an account that was never checked."""

    source: Source
    host: str
    statuses: Mapping[str, int]

    @property
    def total(self) -> int:
        """Return the number of its accounts."""
        return sum(self.statuses.values())

    @property
    def unhealthy(self) -> int:
        """Return the number of its checked accounts that are not healthy."""
        return self.total - self.statuses.get(Verdict.HEALTHY, 0) - self.statuses.get(NOT_CHECKED, 0)


@dataclass(frozen=True, slots=True)
class EndingQuota:
    """A quota window of an enabled account that is nearly used up."""

    row: PoolRow
    window: WindowRecord


@dataclass(frozen=True, slots=True)
class SourceFindings:
    """Accounts of one source that wait for a person, were never checked, or have an old result.

    `to_disable`, `to_enable` and `to_delete` count open recommendations, and `on_hold` how many of these are on hold.
    `without_switch` counts those to disable and to enable of accounts that the gateway has no switch for.
    `ready_to_…` are neither: what a person can do at once. `enabled` counts enabled accounts by status.
    """

    on_hold: int
    to_disable: int
    to_enable: int
    to_delete: int
    without_switch: int
    ready_to_disable: int
    ready_to_enable: int
    ready_to_delete: int
    enabled: Mapping[str, int]
    never_checked: int
    old: int


@dataclass(frozen=True, slots=True)
class PoolHealth:
    """The pool in figures. `statuses` are by source; `hosts` and named accounts are cut, the counts are whole."""

    statuses: Mapping[Source, Mapping[str, int]]
    hosts: tuple[HostHealth, ...]
    hosts_left_off: int
    findings: Mapping[Source, SourceFindings]
    relogin: tuple[PoolRow, ...]
    relogin_count: int
    revoked_count: int
    ending: tuple[EndingQuota, ...]
    ending_count: int
    old_before: int

    @property
    def on_hold(self) -> int:
        """Return the number of accounts on hold."""
        return sum(finding.on_hold for finding in self.findings.values())

    @property
    def never_checked(self) -> int:
        """Return the number of accounts without a result that should have one."""
        return sum(finding.never_checked for finding in self.findings.values())

    @property
    def old(self) -> int:
        """Return the number of accounts with an old result."""
        return sum(finding.old for finding in self.findings.values())


def health_of(rows: Sequence[PoolRow], windows: Mapping[int, Sequence[WindowRecord]], now: int) -> PoolHealth:
    """Count the rows of a pool; `windows` are the quota windows of last results, by account.

    Accounts excluded from checks count by their status, but neither as never checked nor as old.
    """
    statuses: dict[Source, Counter[str]] = {source: Counter() for source in Source}
    for row in rows:
        statuses[row.listed.source][_status(row)] += 1
    hosts = _hosts(rows)
    relogin = [row for row in rows if _status(row) in _RELOGIN]
    ending = _ending(rows, windows, now)
    return PoolHealth(
        statuses=statuses,
        hosts=hosts[:MOST_NAMED],
        hosts_left_off=max(0, len(hosts) - MOST_NAMED),
        findings={source: _findings([row for row in rows if row.listed.source == source], now) for source in Source},
        relogin=tuple(relogin[:MOST_NAMED]),
        relogin_count=len(relogin),
        revoked_count=sum(_status(row) == Verdict.REVOKED for row in relogin),
        ending=ending[:MOST_NAMED],
        ending_count=len({quota.row.listed.id for quota in ending}),
        old_before=now - OLD_MS,
    )


def _findings(rows: Sequence[PoolRow], now: int) -> SourceFindings:
    advised = Counter(map(open_recommendation, rows))
    ready = Counter(open_recommendation(row) for row in rows if not row.on_hold and not _lacks_switch(row))
    checkable = [row for row in rows if row.listed.enabled is not False and not row.flags.never_probe]
    return SourceFindings(
        on_hold=sum(row.on_hold for row in rows),
        to_disable=advised[Action.DISABLE],
        to_enable=advised[Action.ENABLE],
        to_delete=advised[Action.DELETE],
        without_switch=sum(_lacks_switch(row) for row in rows),
        ready_to_disable=ready[Action.DISABLE],
        ready_to_enable=ready[Action.ENABLE],
        ready_to_delete=ready[Action.DELETE],
        enabled=Counter(_status(row) for row in rows if row.listed.enabled is not False),
        never_checked=sum(row.result is None for row in checkable),
        old=sum(row.result is not None and row.result.at < now - OLD_MS for row in checkable),
    )


def _lacks_switch(row: PoolRow) -> bool:
    is_advised = open_recommendation(row) in (Action.DISABLE, Action.ENABLE)
    return is_advised and not row.listed.switchable


def _status(row: PoolRow) -> str:
    return row.result.verdict if row.result is not None else NOT_CHECKED


def _hosts(rows: Sequence[PoolRow]) -> tuple[HostHealth, ...]:
    """Return all hosts, those with the most unhealthy accounts first."""
    counts: defaultdict[tuple[Source, str], Counter[str]] = defaultdict(Counter)
    for row in rows:
        counts[row.listed.source, host_of(row)][_status(row)] += 1
    hosts = (HostHealth(source, host, statuses) for (source, host), statuses in counts.items())
    return tuple(sorted(hosts, key=lambda host: (-host.unhealthy, -host.total, host.host, host.source)))


def _ending(
    rows: Sequence[PoolRow], windows: Mapping[int, Sequence[WindowRecord]], now: int
) -> tuple[EndingQuota, ...]:
    """Return windows that are nearly used up and not used up, the fullest first; a window that has ended is none."""
    quotas = [
        EndingQuota(row, window)
        for row in rows
        if row.listed.enabled is not False
        for window in windows.get(row.listed.id, ())
        if is_ending(window, now)
    ]
    return tuple(sorted(quotas, key=lambda quota: (-(quota.window.used or 0.0), quota.row.listed.id)))


def is_ending(window: WindowRecord, now: int) -> bool:
    """Return whether a window is nearly used up, and not used up."""
    if window.used is None or (window.resets_at is not None and window.resets_at <= now):
        return False
    full = _FULL if window.threshold is None else float(window.threshold)
    return full * ENDING_PERCENT / _FULL <= window.used < full
