"""Parts of a series: a period cut into at most so many, at hours, midnights, weeks, months or years of the reader."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta, tzinfo
from enum import StrEnum
from typing import Final

from extension.usage.calendar import HOUR_MS, Period, local, midnight, midnight_after

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
_LEAST_MS: Final = {
    **_SHORT,
    **{length: hours * HOUR_MS for length, hours in _HOURS.items()},
    PartLength.DAY: _DAY_MS,
    PartLength.WEEK: 7 * _DAY_MS,
    PartLength.MONTH: 28 * _DAY_MS,
    PartLength.YEAR: 365 * _DAY_MS,
}
_CUT_OFF: Final = 3
"""Parts beside the whole ones: the first and the last, and one where clocks change."""


@dataclass(frozen=True, slots=True)
class SeriesParts:
    """Parts of a period and their usual length; the first and the last may be shorter."""

    length: PartLength
    parts: tuple[Period, ...]


def series_parts(whole: Period, most: int, zone: tzinfo, least: PartLength = PartLength.MINUTE) -> SeriesParts:
    """Cut a period into at most `most` parts, the shortest of the lengths that do, from `least` on."""
    span = whole.end - whole.start
    fitting = (each for each in PartLength if span // _LEAST_MS[each] + _CUT_OFF <= most)
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
