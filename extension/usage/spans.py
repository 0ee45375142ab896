"""Division of a period into whole UTC days that have daily sums, whole hours, and the rest. Pure."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from extension.usage.calendar import Period

DAY_HOURS: Final = 24
_MOST_RUNS: Final = 4
"""Runs of days that one statement reads: each is a range of the index. Days beside the longest are read by hours."""


@dataclass(frozen=True, slots=True)
class Spans:
    """Parts of a period that exclude each other: numbers of days and of hours since 1970, and parts of hours."""

    days: tuple[range, ...]
    hours: tuple[range, ...]
    edges: tuple[Period, ...]


def days_within(period: Period) -> range:
    """Return the whole UTC days within a period, as numbers since 1970."""
    hours = period.hours
    first = -(-hours.start // DAY_HOURS)
    return range(first, max(first, hours.stop // DAY_HOURS))


def spans(period: Period, summed: Collection[int]) -> Spans:
    """Divide a period; `summed` are the days that have daily sums."""
    runs = sorted(day_runs(day for day in days_within(period) if day in summed), key=len, reverse=True)[:_MOST_RUNS]
    days = tuple(sorted(runs, key=lambda run: run.start))
    return Spans(days, tuple(_between(period.hours, days)), period.edges)


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
