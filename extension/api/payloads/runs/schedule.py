"""Schedules as asked and answered."""

from typing import Annotated, Any, Self

from pydantic import Field

from extension.api.payloads.payload import Payload, RowId
from extension.api.payloads.reason import ReasonView
from extension.inspection.settings import SettingsError
from extension.reasons.codes import ReasonCode
from extension.store.runs.schedules import Plan, ScheduleRecord


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
        return cls.showing(
            record,
            settings=dict(record.settings),
            interval_minutes=record.interval_minutes or None,
            problem=record.problem.text,
            problems=ReasonView.all_of(record.problem),
        )


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
