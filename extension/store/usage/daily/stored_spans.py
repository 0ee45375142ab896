"""Division of periods by what is stored of them, each looked up once in a transaction."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from sqlalchemy import Row, func, select

from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import USAGE_EVENTS
from extension.store.usage.collectors import state
from extension.store.usage.daily.day_end import DayEnd
from extension.store.usage.daily.dimension_pairs import DimensionPair
from extension.store.usage.daily.paired_days import paired_days
from extension.store.usage.daily.past_sums import PastSums
from extension.store.usage.daily.summed_days import EMPTY, summed_days
from extension.store.usage.daily.summed_ends import summed_ends
from extension.usage.calendar import HOUR_MS, Period
from extension.usage.spans import DAY_HOURS, Spans, beside_days, day_runs, days_within, spans, widened

_DAY_MS: Final = DAY_HOURS * HOUR_MS
_FEWEST_DAYS: Final = 2
"""Past days that are remembered apart from the rest of a period."""


class StoredSpans:
    """Days with daily sums, and the divisions of periods, of one pool within one transaction."""

    def __init__(self, transaction: Transaction, pool_id: int, past: PastSums) -> None:
        self._transaction = transaction
        self._pool_id = pool_id
        self._past = past
        self._summed: dict[range, Mapping[int, int]] = {}
        self._divided: dict[Period, Spans] = {}
        self._paired: dict[tuple[DimensionPair, Period], tuple[tuple[range, ...], tuple[Period, ...]]] = {}
        self._kept_ends: tuple[int, int] | None = None
        self.wanted: Final[set[DayEnd]] = set()

    def summed(self, days: range) -> Mapping[int, int]:
        """Return the stamps of the days with daily sums among some consecutive ones."""
        if days not in self._summed:
            self._summed[days] = summed_days(self._transaction, self._pool_id, days)
        return self._summed[days]

    def stamps(self, days: range) -> tuple[int, ...] | None:
        """Return the stamps of consecutive days; None where one has no daily sums."""
        found = self.summed(days)
        return tuple(found[day] for day in days) if all(day in found for day in days) else None

    def rows(self, statement: Callable[[], Any], question: Hashable, days: Sequence[range]) -> Sequence[Row[Any]]:
        """Read rows that hours of some days alone decide; they are remembered where all these days are summed up."""
        stamps = [self.stamps(each) for each in days]
        known = None if None in stamps else tuple(stamp for each in stamps for stamp in each or ())
        key = (self._pool_id, tuple(days), question)
        return self._past.rows(key, known, lambda: self.read(statement))

    def of(self, period: Period) -> Spans:
        """Divide a period into days with daily sums, hours, and the rest."""
        if period not in self._divided:
            self._divided[period] = self._divide(period)
        return self._divided[period]

    def paired(self, pair: DimensionPair | None, period: Period) -> tuple[tuple[range, ...], tuple[Period, ...]]:
        """Divide a period into days with sums of a pair, and the parts whose events are to be read."""
        if pair is None:
            return (), (period,)
        key = pair, period
        if key not in self._paired:
            days = days_within(period)
            empty = {day for day, stamp in self.summed(days).items() if stamp == EMPTY}
            found = empty | paired_days(self._transaction, self._pool_id, pair, days)
            self._paired[key] = beside_days(period, found)
        return self._paired[key]

    def ends(self, end: DayEnd, days: range) -> frozenset[int]:
        """Return the days with sums of an end, among some consecutive ones, and note that it was asked for."""
        self.wanted.add(end)
        empty = {day for day, stamp in self.summed(days).items() if stamp == EMPTY}
        return summed_ends(self._transaction, self._pool_id, end, days) | empty

    def has_events_since(self, time: int) -> bool:
        """Return whether no event since a time was removed by the retention."""
        return self._kept()[0] <= time

    def event_rows(self, statement: Callable[[Period], Any], question: Hashable, period: Period) -> Iterator[Row[Any]]:
        """Yield the rows of a statement about the events of parts of a period; those of past days are remembered.

        Days that may have lost events to the retention are read every time.
        """
        kept_from, _ = self._kept()
        days = days_within(period)
        kept = range(max(days.start, min(days.stop, -(-kept_from // _DAY_MS))), days.stop)
        summed = self.summed(kept)
        run = max(day_runs(day for day in kept if day in summed), key=len, default=range(0))
        if len(run) < _FEWEST_DAYS:
            yield from self.read(lambda: statement(period))
            return
        past = Period(run.start * _DAY_MS, run.stop * _DAY_MS)
        yield from self.rows(lambda: statement(past), question, (run,))
        for part in (Period(period.start, past.start), Period(past.end, period.end)):
            if part.start < part.end:
                yield from self.read(partial(statement, part))

    def read(self, statement: Callable[[], Any]) -> Sequence[Row[Any]]:
        """Return the rows of a statement."""
        return self._transaction.execute(statement()).all()

    def _divide(self, period: Period) -> Spans:
        surplus: tuple[Period, ...] = ()
        if period.edges:
            period, surplus = widened(period, *self._kept())
        return replace(spans(period, self.summed(days_within(period))), surplus=surplus)

    def _kept(self) -> tuple[int, int]:
        """Return the time from which all events are there, and that of the newest."""
        if self._kept_ends is None:
            collected = state(self._transaction, self._pool_id)
            newest = self._transaction.execute(select(func.max(USAGE_EVENTS.c.at))).scalar()
            self._kept_ends = (0 if collected is None else collected.pruned_before, newest or 0)
        return self._kept_ends
