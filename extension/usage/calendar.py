"""Periods of a reader's time zone, and their division into whole UTC hours and the rest.

Rollups are kept by UTC hour. Where a day of the reader begins within one, as in a zone half an hour off, the events of
that hour are counted one by one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

HOUR_MS: Final = 3_600_000
_MINUTES: Final = 60
_OFFSET: Final = re.compile(r"([+-])(\d{2}):?([0-5]\d)")
_MOST_OFFSET_HOURS: Final = 18


class SeriesStep(StrEnum):
    """Length of the periods of a series."""

    NONE = "none"
    HOUR = "hour"
    DAY = "day"
    MONTH = "month"


class ZoneUnknown(ValueError):  # noqa: N818 - the name says what is wrong
    """There is no such time zone."""


@dataclass(frozen=True, slots=True)
class Period:
    """Time from `start` to before `end`, integer milliseconds UTC."""

    start: int
    end: int

    @property
    def hours(self) -> range:
        """Return whole UTC hours within the period, as numbers since 1970."""
        return range(-(-self.start // HOUR_MS), max(-(-self.start // HOUR_MS), self.end // HOUR_MS))

    @property
    def edges(self) -> tuple["Period", ...]:
        """Parts of the period outside the whole hours, without empty ones."""
        hours = self.hours
        if not hours:
            return (self,) if self.start < self.end else ()
        parts = (Period(self.start, hours.start * HOUR_MS), Period(hours.stop * HOUR_MS, self.end))
        return tuple(part for part in parts if part.start < part.end)

    def within(self, bounds: "Period") -> "Period":
        """Return the part of the period inside bounds; an empty one at its start where there is none."""
        start, end = max(self.start, bounds.start), min(self.end, bounds.end)
        return Period(start, end) if start < end else Period(self.start, self.start)


def zone_of(name: str) -> tzinfo:
    """Return a time zone by its IANA name, or by its offset such as `+08:00` or `-03:30`.

    Raises:
        ZoneUnknown: there is none of that name.
    """
    found = _OFFSET.fullmatch(name)
    if found:
        if int(found[2]) > _MOST_OFFSET_HOURS:
            raise ZoneUnknown(name)
        minutes = int(found[2]) * _MINUTES + int(found[3])
        return timezone(timedelta(minutes=-minutes if found[1] == "-" else minutes))
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ZoneUnknown(name) from None


def periods(whole: Period, step: SeriesStep, zone: tzinfo) -> Iterator[Period]:
    """Yield the periods that make up a whole one, cut at the reader's midnights or months, or at UTC hours.

    The first and the last are cut off where the whole begins and ends.
    """
    start = whole.start
    while start < whole.end:
        end = min(whole.end, _next(start, step, zone, whole.end))
        yield Period(start, end)
        start = end


def _next(start: int, step: SeriesStep, zone: tzinfo, last: int) -> int:
    if step is SeriesStep.NONE:
        return last
    if step is SeriesStep.HOUR:
        return (start // HOUR_MS + 1) * HOUR_MS
    day = local(start, zone).date()
    if step is SeriesStep.DAY:
        following = day + timedelta(days=1)
    else:
        following = (day.replace(day=1) + timedelta(days=32)).replace(day=1)
    return midnight_after(start, following, zone)


def local(at: int, zone: tzinfo) -> datetime:
    """Return a time on the reader's clock."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone(zone)


def midnight(day: date, zone: tzinfo, fold: int = 0) -> int:
    """Return the beginning of a reader's day; the second of two with `fold`."""
    return round(datetime(day.year, day.month, day.day, tzinfo=zone, fold=fold).timestamp() * 1000)


def midnight_after(start: int, day: date, zone: tzinfo) -> int:
    """Return the beginning of a day that comes after a time of the day before.

    Clocks that go back over midnight, as in Newfoundland until 2011, begin a day twice.
    """
    first = midnight(day, zone)
    return first if first > start else midnight(day, zone, fold=1)
