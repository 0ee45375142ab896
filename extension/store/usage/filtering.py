"""Questions about usage: a filter of names with their ids, and what is to be summed up."""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import text

from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import USAGE_EVENTS
from extension.store.usage.names import COLUMNS, NO_NAME, ROLLED_UP, NameKind, find
from extension.store.usage.records import UsageFilter
from extension.usage.calendar import Period

_ROW: Final = USAGE_EVENTS.c
FAILED: Final = text("usage_events.failure_id <> 0")
"""Condition of the index of failures, as a literal: a database does not see it in a parameter."""
_NEVER: Final = -1  # an id that no name has
Rollup = tuple[NameKind, int | None]
"""Dimension of hourly sums, and the name in it or None for all."""


class NamedFilter:
    """A filter with the ids of its names, for one transaction."""

    def __init__(self, transaction: Transaction, pool_id: int, usage_filter: UsageFilter) -> None:
        self._pool_id = pool_id
        self._failed = usage_filter.failed
        self._ids: dict[NameKind, int] = {}
        for kind in ROLLED_UP:
            name = None if kind is NameKind.TOTAL else getattr(usage_filter, kind.name.lower())
            if name is not None:
                name_id = find(transaction, kind, name)
                self._ids[kind] = _NEVER if name_id is None else name_id

    def conditions(self, period: Period | None) -> list[Any]:
        """Return the conditions on events, within a period where one is given."""
        conditions: list[Any] = [_ROW.pool_id == self._pool_id]
        if period is not None:
            conditions += [_ROW.at >= period.start, _ROW.at < period.end]
        conditions += [_ROW[COLUMNS[kind]] == name_id for kind, name_id in self._ids.items()]
        if self._failed is not None:
            conditions.append(FAILED if self._failed else _ROW.failure_id == NO_NAME)
        return conditions

    def counting_rollup(self) -> tuple[Rollup, bool | None] | None:
        """Return hourly sums that count the requests of the filter, maybe as failures or successes; None if none do.

        The second value is true for failures, false for successes, and None for all.
        """
        if self._failed is not None and len(self._ids) <= 1 and NameKind.FAILURE not in self._ids:
            ((kind, name_id),) = self._ids.items() or ((NameKind.TOTAL, NO_NAME),)
            return (kind, name_id), self._failed
        rollup = self.rollup(NameKind.TOTAL)
        return None if rollup is None else (rollup, None)

    def rollup(self, by: NameKind) -> Rollup | None:
        """Return the hourly sums that serve the filter, grouped by a dimension; None when none do.

        Then events are read. Hours are summed up over every other dimension, so they serve a filter by one name at
        most, and groups of the same dimension alone.
        """
        if self._failed is not None or len(self._ids) > 1:
            return None
        if not self._ids:
            return by, None
        ((kind, name_id),) = self._ids.items()
        if kind is NameKind.FAILURE and name_id == NO_NAME:
            return None  # successes have no row of their own in that dimension
        return (kind, name_id) if by in {NameKind.TOTAL, kind} else None


@dataclass(frozen=True, slots=True)
class Query:
    """Sums wanted: of one pool, filtered, grouped by a dimension; `names` are ids of groups, None for all.

    Without `buckets`, tokens are summed up as totals alone, and qualities are not counted: a chart shows neither.
    """

    pool_id: int
    filter: NamedFilter
    by: NameKind
    latencies: bool = True
    names: tuple[int, ...] | None = None
    buckets: bool = True

    @property
    def rollup(self) -> Rollup | None:
        """Hourly sums that serve the question; None where events are read."""
        return self.filter.rollup(self.by)
