"""Division of a period into whole UTC days that have daily sums, whole hours, and the rest. Pure.

Theory of operation: a period rarely begins or ends with an hour. The events of such an hour that lie within are counted
one by one, or the hour is taken as a whole and the events beside the period are taken away from it: whichever reads
fewer. Sums of integers can be taken away exactly. A period that ends now therefore reads no event at its end.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from extension.usage.calendar import HOUR_MS, Period

DAY_HOURS: Final = 24
_DAY_MS: Final = DAY_HOURS * HOUR_MS
_MOST_RUNS: Final = 4
"""Runs of days that one statement reads: each is a range of the index. Days beside the longest are read by hours."""


@dataclass(frozen=True, slots=True)
class Spans:
    """Parts of a period that exclude each other: numbers of days and of hours since 1970, and parts of hours.

    `surplus` are parts of those hours that lie beside the period: their events are to be taken away.
    """

    days: tuple[range, ...]
    hours: tuple[range, ...]
    edges: tuple[Period, ...]
    surplus: tuple[Period, ...] = ()


def days_within(period: Period) -> range:
    """Return the whole UTC days within a period, as numbers since 1970."""
    hours = period.hours
    first = -(-hours.start // DAY_HOURS)
    return range(first, max(first, hours.stop // DAY_HOURS))


def spans(period: Period, summed: Collection[int]) -> Spans:
    """Divide a period; `summed` are the days that have daily sums."""
    days = _longest_runs(period, summed)
    return Spans(days, tuple(_between(period.hours, days)), period.edges)


def beside_days(period: Period, summed: Collection[int]) -> tuple[tuple[range, ...], tuple[Period, ...]]:
    """Divide a period into runs of days that are summed up, and the parts beside them."""
    days = _longest_runs(period, summed)
    bounds = [period.start, *(bound * _DAY_MS for run in days for bound in (run.start, run.stop)), period.end]
    beside = (Period(start, end) for start, end in zip(bounds[::2], bounds[1::2], strict=True) if start < end)
    return days, tuple(beside)


def _longest_runs(period: Period, summed: Collection[int]) -> tuple[range, ...]:
    runs = sorted(day_runs(day for day in days_within(period) if day in summed), key=len, reverse=True)[:_MOST_RUNS]
    return tuple(sorted(runs, key=lambda run: run.start))


def widened(period: Period, kept_from: int, newest: int) -> tuple[Period, tuple[Period, ...]]:
    """Return a period with its ends moved to whole hours where that reads fewer events, and what it then has too much.

    Events before `kept_from` may have been removed while their hour still counts them, so such an hour is not taken
    apart. `newest` is the time of the newest event.
    """
    first, last = period.start // HOUR_MS * HOUR_MS, -(-period.end // HOUR_MS) * HOUR_MS
    before, after = Period(first, period.start), Period(period.end, last)
    if last - first <= HOUR_MS:
        beside = _stored_ms(before, newest) + _stored_ms(after, newest)
        wide = first >= kept_from and beside < _stored_ms(period, newest)
        chosen: tuple[Period, ...] = (before, after) if wide else ()
    else:
        begun, ended = Period(period.start, first + HOUR_MS), Period(last - HOUR_MS, period.end)
        chosen = tuple(
            beside
            for beside, within, hour in ((before, begun, first), (after, ended, last - HOUR_MS))
            if hour >= kept_from and _stored_ms(beside, newest) < _stored_ms(within, newest)
        )
    surplus = tuple(part for part in chosen if part.start < part.end)
    start = first if before in surplus else period.start
    return Period(start, last if after in surplus else period.end), surplus


def _stored_ms(part: Period, newest: int) -> int:
    """Return for how long a part may hold events."""
    return max(0, min(part.end, newest + 1) - part.start)


def day_runs(days: Iterator[int]) -> Iterator[range]:
    """Yield the runs of consecutive days."""
    run = range(0)
    for day in days:
        if run and day == run.stop:
            run = range(run.start, day + 1)
            continue
        if run:
            yield run
        run = range(day, day + 1)
    if run:
        yield run


def _between(hours: range, days: tuple[range, ...]) -> Iterator[range]:
    start = hours.start
    for run in days:
        if start < run.start * DAY_HOURS:
            yield range(start, run.start * DAY_HOURS)
        start = run.stop * DAY_HOURS
    if start < hours.stop:
        yield range(start, hours.stop)
