"""Periods of a reader's time zone, and their division into whole UTC hours and the rest, or into the parts of a chart.

Sums are kept by UTC hour. Where a day of the reader begins within one, as in a zone half an hour off, the events of
that hour are counted one by one.
"""

import re
from collections.abc import Callable, Iterator
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
    """Return a time zone by its IANA name, or by its offset such as `+08:00` or `-03:30`, or raise `ZoneUnknown`."""
    match = _OFFSET.fullmatch(name)
    if match:
        if int(match[2]) > _MOST_OFFSET_HOURS:
            raise ZoneUnknown(name)
        minutes = int(match[2]) * _MINUTES + int(match[3])
        return timezone(timedelta(minutes=-minutes if match[1] == "-" else minutes))
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ZoneUnknown(name) from None


def periods(whole: Period, step: SeriesStep, zone: tzinfo) -> Iterator[Period]:
    """Yield the periods that make up a whole one, cut at the reader's midnights or months, or at UTC hours.

    The first and the last are cut off where the whole begins and ends.
    """
    return _cut(whole, (lambda _: whole.end) if step is SeriesStep.NONE else _following(_LENGTHS[step], zone))


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


MOST_PARTS: Final = 400
FEWEST_PARTS: Final = 12
"""Years of ten years, the first and the last of which are cut off."""
_MINUTE_MS: Final = 60_000
_DAY_MS: Final = 24 * HOUR_MS


class PartLength(StrEnum):
    """Length of the parts of a series, the shortest first."""

    MINUTE = "1m"
    FIVE_MINUTES = "5m"
    QUARTER = "15m"
    HOUR = "1h"
    THREE_HOURS = "3h"
    SIX_HOURS = "6h"
    TWELVE_HOURS = "12h"
    DAY = "1d"
    WEEK = "1w"
    MONTH = "1M"
    YEAR = "1y"


_SHORT: Final = {
    PartLength.MINUTE: _MINUTE_MS,
    PartLength.FIVE_MINUTES: 5 * _MINUTE_MS,
    PartLength.QUARTER: 15 * _MINUTE_MS,
    PartLength.HOUR: HOUR_MS,
}
"""Lengths that are cut by UTC, in every time zone alike."""
_HOURS: Final = {PartLength.THREE_HOURS: 3, PartLength.SIX_HOURS: 6, PartLength.TWELVE_HOURS: 12}
_LENGTHS: Final = {
    SeriesStep.HOUR: PartLength.HOUR,
    SeriesStep.DAY: PartLength.DAY,
    SeriesStep.MONTH: PartLength.MONTH,
}
_LEAST_MS: Final = {
    **_SHORT,
    **{length: hours * HOUR_MS for length, hours in _HOURS.items()},
    PartLength.DAY: _DAY_MS,
    PartLength.WEEK: 7 * _DAY_MS,
    PartLength.MONTH: 28 * _DAY_MS,
    PartLength.YEAR: 365 * _DAY_MS,
}
_CUT_OFF: Final = 3  # parts beside the whole ones: the first and the last, and one where clocks change


@dataclass(frozen=True, slots=True)
class SeriesParts:
    """Parts of a period and their usual length; the first and the last may be shorter."""

    length: PartLength
    parts: tuple[Period, ...]


def series_parts(whole: Period, most: int, zone: tzinfo, least: PartLength = PartLength.MINUTE) -> SeriesParts:
    """Cut a period into at most `most` parts, the shortest of the lengths that do, from `least` on."""
    span = whole.end - whole.start
    fitting = (length for length in PartLength if span // _LEAST_MS[length] + _CUT_OFF <= most)
    length = max(next(fitting, PartLength.YEAR), least, key=tuple(PartLength).index)
    return SeriesParts(length, tuple(_cut(whole, _following(length, zone))))


def _cut(whole: Period, following: Callable[[int], int]) -> Iterator[Period]:
    start = whole.start
    while start < whole.end:
        end = min(whole.end, following(start))
        yield Period(start, end)
        start = end


def _following(length: PartLength, zone: tzinfo) -> Callable[[int], int]:
    if length in _SHORT:
        short = _SHORT[length]
        return lambda start: (start // short + 1) * short
    if length in _HOURS:
        hours = _HOURS[length]
        return lambda start: _next_hours(start, hours, zone)
    return lambda start: midnight_after(start, _next_day(local(start, zone).date(), length), zone)


def _next_hours(start: int, hours: int, zone: tzinfo) -> int:
    """Return the next multiple of some hours since the reader's midnight; a day begins anew where clocks change."""
    day = local(start, zone).date()
    begun, length = midnight(day, zone), hours * HOUR_MS
    ends = midnight_after(start, day + timedelta(days=1), zone)
    return min(begun + ((start - begun) // length + 1) * length, ends)


def _next_day(day: date, length: PartLength) -> date:
    if length is PartLength.DAY:
        return day + timedelta(days=1)
    if length is PartLength.WEEK:
        return day + timedelta(days=7 - day.weekday())
    if length is PartLength.MONTH:
        return (day.replace(day=1) + timedelta(days=32)).replace(day=1)
    return date(day.year + 1, 1, 1)
