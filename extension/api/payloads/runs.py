"""Runs, their costs, schedules and events, in requests and answers."""

from typing import Annotated, Any, Self

from pydantic import Field

from extension.api.payloads.payload import Payload, ReasonView, RowId
from extension.inspection.evidence.action import Action
from extension.inspection.settings import SettingsError
from extension.reasons.codes import ReasonCode
from extension.store.records import RunRecord
from extension.store.runs.schedules import Plan, ScheduleRecord


class RecommendationsView(Payload):
    """Counts of stored results by recommendation, those that the run put on hold included."""

    keep: int
    enable: int
    disable: int
    delete: int


class RunView(Payload):
    """One inspection: its settings, how far it is (`done` of `total` accounts) and its findings so far.

    `reason` says why it failed, stopped or was interrupted, or what limited it; `reasons` are the same as codes,
    `other` for a text of unknown origin. `gatewaySecondsPerCall` is the gateway's own share of each latency, if it is
    known. Times are milliseconds UTC; `finishedAt` is null while it goes on. `schedule` is the schedule that started
    it, null when a person started it. `onHold` counts those of the recommended changes that it put on hold;
    `stillOnHold` counts those that are on hold now: not released, done otherwise or taken over by a newer run.
    `notCarriedOut` counts the automatic actions that it left undone when it broke off, and those that the gateway
    refused.
    """

    id: int
    state: str
    account_source: str
    target_type: str
    settings: dict[str, Any]
    total: int
    done: int
    verdicts: dict[str, int]
    recommendations: RecommendationsView
    started_at: int
    finished_at: int | None
    started_by: str
    reason: str
    reasons: tuple[ReasonView, ...]
    gateway_seconds_per_call: float | None
    schedule: int | None
    on_hold: int
    still_on_hold: int
    not_carried_out: int

    @classmethod
    def of(cls, record: RunRecord) -> Self:
        """Show a stored run."""
        counts = {action.value: record.recommendations.get(action, 0) for action in Action}
        return cls.showing(record, recommendations=RecommendationsView.model_validate(counts))


class RunAnswer(Payload):
    """One run."""

    run: RunView


class RunsAnswer(Payload):
    """Runs, the newest first."""

    runs: tuple[RunView, ...]


class CostAnswer(Payload):
    """The most a run can cost: `requests` and `tokens` are upper bounds, which most runs stay far below.

    `accounts` are the credentials in scope, `probed` those a request is sent for. `sampled` says that only a sample is
    probed, so that the bounds are those of the costliest one. `skipped` counts entries of the gateway's list that have
    no index and so cannot be inspected; `poolkeeper/pool` names them. `controls` are the requests with a wrong key
    among `requests`: they tell a refused key from a host that refuses everybody. A run of a schedule sends at most
    `scheduledControls` of them, one to a base URL in an hour.
    """

    accounts: int
    probed: int
    requests: int
    tokens: int
    sampled: bool
    skipped: int
    controls: int
    scheduled_controls: int


class ScheduleRequest(Payload):
    """A new schedule, or with `id` the new values of a known one.

    It comes due every `intervalMinutes`, or at the times that the `cron` expression names in `timeZone` (a name such as
    Asia/Shanghai; empty is UTC), and up to `jitterMinutes` later by chance. `settings` are those of an
    inspection; absent ones have their defaults, and all of them are stored.
    """

    id: RowId | None = None
    name: Annotated[str, Field(min_length=1, max_length=100)]
    enabled: Annotated[bool, Field(strict=True)] = True
    interval_minutes: Annotated[int, Field(strict=True, ge=1, le=525_600)] | None = None
    cron: Annotated[str, Field(max_length=200)] = ""
    time_zone: Annotated[str, Field(max_length=100)] = ""
    jitter_minutes: Annotated[int, Field(strict=True, ge=0, le=10_080)] = 0
    settings: dict[str, Any] = Field(default_factory=dict)

    def plan(self) -> Plan:
        """Return the values as the store takes them.

        Raises:
            SettingsError: there is neither an interval nor a cron expression, or both.
        """
        cron = " ".join(self.cron.split())
        if bool(cron) is (self.interval_minutes is not None):
            raise SettingsError.because("intervalMinutes", ReasonCode.INTERVAL_OR_CRON)
        zone = self.time_zone.strip() if cron else ""
        minutes = self.interval_minutes or 0
        return Plan(self.name, self.enabled, minutes, self.jitter_minutes, self.settings, cron, zone)


class ScheduleView(Payload):
    """An inspection that is started by the clock.

    `nextAt` is when it comes due, `lastAt` when it last did, `lastRun` the run that came of it; `problem` says why none
    came of the last time, and `problems` are its codes. A start missed while the service was down happens once. Times:
    milliseconds UTC.
    """

    id: int
    name: str
    enabled: bool
    interval_minutes: int | None
    jitter_minutes: int
    cron: str
    time_zone: str
    settings: dict[str, Any]
    next_at: int
    last_at: int | None
    last_run: int | None
    problem: str
    problems: tuple[ReasonView, ...]
    saved_by: str
    saved_at: int

    @classmethod
    def of(cls, record: ScheduleRecord) -> Self:
        """Show a stored schedule."""
        return cls.showing(record, interval_minutes=record.interval_minutes or None)


class ScheduleAnswer(Payload):
    """The schedule that was saved.

    `accountsInScope` counts the accounts of the pool in its scope now, null when the gateway cannot be read. With 0
    its runs have nothing to check until one is added.
    """

    schedule: ScheduleView
    accounts_in_scope: int | None


class SchedulesAnswer(Payload):
    """All schedules, the oldest first."""

    schedules: tuple[ScheduleView, ...]


class EventView(Payload):
    """One event: it carries ids, never the things themselves.

    In a list `seq` is the event's own number. In a stream it is a cursor: everything up to it has been sent.
    """

    seq: int
    at: int
    kind: str
    run: int | None
    data: dict[str, Any]


class EventsAnswer(Payload):
    """Events after a cursor, oldest first; ask again with `after=next` for those that follow."""

    events: tuple[EventView, ...]
    next: int
