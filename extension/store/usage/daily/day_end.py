"""The part of a UTC day between its midnight and that of a reader elsewhere."""

from dataclasses import dataclass
from typing import Final

from extension.store.usage.daily.dimension_pairs import DimensionPair
from extension.usage.calendar import HOUR_MS, Period
from extension.usage.spans import DAY_HOURS

_DAY_MS: Final = DAY_HOURS * HOUR_MS
_MINUTE_MS: Final = 60_000


@dataclass(frozen=True, slots=True)
class DayEnd:
    """Sums of a pair over the first `minutes` of each day; over the last ones where the number is below zero."""

    pair: DimensionPair
    minutes: int

    @classmethod
    def until(cls, pair: DimensionPair, late_ms: int) -> "DayEnd | None":
        """Return the end between midnight UTC and a reader's, so much later; None where no whole minutes lie between.

        Zones had offsets with seconds a hundred years ago.
        """
        return None if late_ms % _MINUTE_MS or not late_ms else cls(pair, late_ms // _MINUTE_MS)

    def of(self, day: int) -> Period:
        """Return the time of the end of one day, given as its number since 1970."""
        length, start = self.minutes * _MINUTE_MS, day * _DAY_MS
        return Period(start, start + length) if length > 0 else Period(start + _DAY_MS + length, start + _DAY_MS)
