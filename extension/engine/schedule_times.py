"""Due times of schedules, from an interval or from a cron expression in a time zone; pure.

A time of the wall clock that a change to summer time skips comes due right after the change, and one that a change
back repeats comes due once; an expression for every so many minutes or hours follows the time that really passes.
"""

from datetime import UTC, datetime
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from extension.inspection.settings import SettingsError
from extension.reasons.codes import ReasonCode
from extension.store.runs.schedules import Plan, ScheduleRecord

_MINUTE_MS: Final = 60_000
_FIELDS: Final = 5
_LONGEST: Final = 200


def next_time(plan: Plan | ScheduleRecord, now: int, random: Random) -> int:
    """Return when a schedule comes due after a time, with its random delay; milliseconds UTC.

    Raises `SettingsError`: the expression or the time zone cannot be used.
    """
    return _due(plan, now) + round(random.random() * plan.jitter_minutes * _MINUTE_MS)


def latest_time(plan: Plan | ScheduleRecord, now: int) -> int:
    """Return the latest time at which a schedule can come due next; milliseconds UTC.

    A stored time beyond it was counted from a clock that has been set back since. Raises `SettingsError`.
    """
    return _due(plan, now) + plan.jitter_minutes * _MINUTE_MS


def _due(plan: Plan | ScheduleRecord, now: int) -> int:
    return next_cron(plan.cron, plan.time_zone, now) if plan.cron else now + plan.interval_minutes * _MINUTE_MS


def next_cron(expression: str, time_zone: str, now: int) -> int:
    """Return the first time after `now` that a cron expression names in a time zone; milliseconds UTC.

    Raises `SettingsError`: the expression has no such time, or it or the time zone cannot be used.
    """
    if len(expression) > _LONGEST or len(expression.split()) != _FIELDS:
        raise SettingsError.because("cron", ReasonCode.CRON_FIELDS)
    start = datetime.fromtimestamp(now / 1000, _zone(time_zone))
    try:
        for start_time in CronSim(expression, start):
            due = round(start_time.astimezone(UTC).timestamp() * 1000)
            # In an hour that the clock repeats, the next time by the wall clock can lie in the past.
            if due > now:
                return due
    except CronSimError as error:
        raise SettingsError.because("cron", ReasonCode.CRON_UNREADABLE, cron_part=_part(error)) from None
    raise SettingsError.because("cron", ReasonCode.CRON_NEVER)


def _part(error: CronSimError) -> str:
    """Return the part of an expression that the library names, such as "Bad day-of-month"."""
    return str(error).removeprefix("Bad ")


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name or "UTC")
    except (OSError, ValueError, LookupError):
        raise SettingsError.because("timeZone", ReasonCode.ZONE_UNKNOWN) from None
