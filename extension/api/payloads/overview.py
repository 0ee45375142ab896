"""Overview of the pool as answered."""

from collections.abc import Mapping
from typing import Self

from extension.api.payloads.payload import Payload, ReasonView
from extension.engine.history.reader import HealthReport
from extension.engine.pool.pool_health import EndingQuota, PoolHealth
from extension.engine.pool.table import PoolRow
from extension.inspection.accounts.account import Source
from extension.store.records import RunRecord
from extension.store.runs.schedules import ScheduleRecord


class HostHealthView(Payload):
    """Accounts of one host and source by status; the empty status is an account that was never checked."""

    source: Source
    host: str
    total: int
    unhealthy: int
    statuses: dict[str, int]


class RunHealthView(Payload):
    """Results of one finished run by status."""

    run: int
    source: str
    started_at: int
    done: int
    statuses: dict[str, int]

    @classmethod
    def of(cls, run: RunRecord) -> Self:
        """Show the results of a run."""
        return cls.showing(run, run=run.id, source=run.account_source, statuses=dict(run.verdicts))


class NamedAccountView(Payload):
    """An account by name and number."""

    id: int
    source: Source
    display_name: str
    file_name: str
    key_hint: str

    @classmethod
    def of(cls, row: PoolRow) -> Self:
        """Show the names of an account."""
        listed = row.listed
        return cls.showing(listed.facts, id=listed.id, source=listed.source)


class ReloginView(NamedAccountView):
    """An account whose session has expired (status relogin_needed) or was revoked (revoked)."""

    verdict: str

    @classmethod
    def of(cls, row: PoolRow) -> Self:
        """Show such an account."""
        listed = row.listed
        verdict = "" if row.result is None else row.result.verdict
        return cls.showing(listed.facts, id=listed.id, source=listed.source, verdict=verdict)


class EndingQuotaView(Payload):
    """A quota window of an enabled account that is nearly used up: `used` percent, until `resetsAt` (ms UTC)."""

    account: NamedAccountView
    window: str
    used: float
    resets_at: int | None

    @classmethod
    def of(cls, ending: EndingQuota) -> Self:
        """Show a window."""
        window = ending.window
        account = NamedAccountView.of(ending.row)
        return cls(account=account, window=window.name, used=window.used or 0.0, resets_at=window.resets_at)


class AttentionView(Payload):
    """Accounts that need a person. Lists name the first; the counts are whole.

    `reloginCount` counts expired and revoked sessions, `revokedCount` those of them that were revoked.
    """

    on_hold: int
    relogin_count: int
    revoked_count: int
    relogin: tuple[ReloginView, ...]
    ending_count: int
    ending: tuple[EndingQuotaView, ...]

    @classmethod
    def of(cls, health: PoolHealth) -> Self:
        """Show what a health report says of it."""
        relogin = tuple(ReloginView.of(row) for row in health.relogin)
        return cls.showing(health, relogin=relogin, ending=tuple(EndingQuotaView.of(quota) for quota in health.ending))


class AutomaticActionsView(Payload):
    """Actions of automation of one kind and outcome."""

    action: str
    outcome: str
    count: int


class FailedScheduleView(Payload):
    """An enabled schedule that did not start at its last time, and why; `problems` are the codes of `problem`."""

    id: int
    name: str
    problem: str
    problems: tuple[ReasonView, ...]
    last_at: int | None


class BlindView(Payload):
    """Accounts and schedules that nothing is known of at the moment.

    `neverChecked` and `old` count enabled accounts without a result, and with one from before `oldBefore` (ms UTC).
    """

    never_checked: int
    old: int
    old_before: int
    schedules: int
    failed_schedules: tuple[FailedScheduleView, ...]

    @classmethod
    def of(cls, health: PoolHealth, schedules: tuple[ScheduleRecord, ...]) -> Self:
        """Show what is not known."""
        enabled = [schedule for schedule in schedules if schedule.enabled]
        failed = tuple(FailedScheduleView.showing(schedule) for schedule in enabled if schedule.problem)
        return cls.showing(health, schedules=len(enabled), failed_schedules=failed)


class SourceFindingsView(Payload):
    """Accounts of one source among those that `attention` and `blind` count.

    `toDisable`, `toEnable` and `toDelete` are recommendations of last results that are still open, with those on hold.
    `withoutSwitch` are those to disable and to enable of accounts that the gateway has no switch for. `readyTo…` are
    neither on hold nor without a switch. `enabled` counts enabled accounts by status.
    """

    on_hold: int
    to_disable: int
    to_enable: int
    to_delete: int
    without_switch: int
    ready_to_disable: int
    ready_to_enable: int
    ready_to_delete: int
    enabled: dict[str, int]
    never_checked: int
    old: int


class OverviewAnswer(Payload):
    """Health of the pool at `readAt` (ms UTC).

    `statuses` count the accounts of each source by status; the empty status is an account that was never checked.
    `hosts` are those with the most unhealthy accounts, `hostsLeftOff` counts the others. `runs` are finished ones, the
    oldest first. `automatic` counts the actions of automation from `since` on. `findings` parts counts by source.
    """

    read_at: int
    since: int
    statuses: dict[str, dict[str, int]]
    hosts: tuple[HostHealthView, ...]
    hosts_left_off: int
    runs: tuple[RunHealthView, ...]
    attention: AttentionView
    automatic: tuple[AutomaticActionsView, ...]
    blind: BlindView
    findings: dict[str, SourceFindingsView]

    @classmethod
    def of(cls, report: HealthReport, since: int, schedules: tuple[ScheduleRecord, ...]) -> Self:
        """Show a health report beside the schedules."""
        health = report.health
        return cls.showing(
            health,
            read_at=report.read_at,
            since=since,
            statuses={source.value: dict(counts) for source, counts in health.statuses.items()},
            hosts=tuple(HostHealthView.showing(host) for host in health.hosts),
            runs=tuple(RunHealthView.of(run) for run in report.runs),
            attention=AttentionView.of(health),
            automatic=_automatic(report.automatic),
            blind=BlindView.of(health, schedules),
            findings={
                source.value: SourceFindingsView.showing(findings_of_source)
                for source, findings_of_source in health.findings.items()
            },
        )


def _automatic(counts: Mapping[tuple[str, str], int]) -> tuple[AutomaticActionsView, ...]:
    return tuple(
        AutomaticActionsView(action=action, outcome=outcome, count=count)
        for (action, outcome), count in sorted(counts.items())
    )
