"""Conditions on events from a filter of names."""

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import ColumnElement

from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import USAGE_EVENTS
from extension.store.usage.daily.dimension_pairs import PAIRS, DimensionPair
from extension.store.usage.daily.past_sums import PastSums
from extension.store.usage.daily.stored_spans import StoredSpans
from extension.store.usage.dimensions import COLUMNS, NO_NAME, ROLLED_UP, NameKind
from extension.store.usage.names import find
from extension.store.usage.records import UsageFilter
from extension.usage.calendar import Period

_NEVER: Final = -1
"""An id that no name has."""


class NamedFilter:
    """A filter with the ids of its names, and the divisions of periods, for one transaction."""

    def __init__(
        self, transaction: Transaction, pool_id: int, wanted: UsageFilter, past: PastSums | None = None
    ) -> None:
        self._pool_id = pool_id
        self.wanted: Final = wanted
        self._failed = wanted.failed
        self.stored: Final = StoredSpans(transaction, pool_id, past or PastSums())
        self._ids: dict[NameKind, int] = {}
        for kind in ROLLED_UP:
            text = None if kind is NameKind.TOTAL else getattr(wanted, kind.name.lower())
            if text is not None:
                found = find(transaction, kind, text)
                self._ids[kind] = _NEVER if found is None else found

    def conditions(self, period: Period | None) -> Sequence[ColumnElement[bool]]:
        """Return the conditions on events, within a period where one is given."""
        row = USAGE_EVENTS.c
        found = [row.pool_id == self._pool_id]
        if period is not None:
            found += [row.at >= period.start, row.at < period.end]
        return [*found, *self.named({kind: row[column] for kind, column in COLUMNS.items()})]

    def named(self, columns: Mapping[NameKind, ColumnElement[int]]) -> Sequence[ColumnElement[bool]]:
        """Return the conditions on columns that hold the ids of names."""
        found = [columns[kind] == name_id for kind, name_id in self._ids.items()]
        if self._failed is not None:
            failure = columns[NameKind.FAILURE]
            found.append(failure != NO_NAME if self._failed else failure == NO_NAME)
        return found

    def counting_rollup(self) -> tuple[tuple[NameKind, int | None], bool | None] | None:
        """Return a rollup that counts the requests of the filter, maybe as failures or successes; None if none does.

        The second value is true for failures, false for successes, and None for all.
        """
        if self._failed is not None and len(self._ids) <= 1 and NameKind.FAILURE not in self._ids:
            ((kind, name_id),) = self._ids.items() or ((NameKind.TOTAL, NO_NAME),)
            return (kind, name_id), self._failed
        rollup = self.rollup(NameKind.TOTAL)
        return None if rollup is None else (rollup, None)

    def pair(self, by: NameKind) -> DimensionPair | None:
        """Return a pair of dimensions whose sums serve the filter, grouped by a dimension; None when none does."""
        wanted = {*self._ids, by} - {NameKind.TOTAL} | ({NameKind.FAILURE} if self._failed is not None else set())
        return next((pair for pair in PAIRS if wanted <= {pair.first, pair.second}), None)

    def rollup(self, by: NameKind) -> tuple[NameKind, int | None] | None:
        """Return the dimension, and the name in it or None for all, of a rollup that serves the filter.

        None when no rollup does: then events are read. A rollup sums over every other dimension, so it serves a filter
        by one name at most, and groups of the same dimension alone.
        """
        if self._failed is not None or len(self._ids) > 1:
            return None
        if not self._ids:
            return by, None
        ((kind, name_id),) = self._ids.items()
        if kind is NameKind.FAILURE and name_id == NO_NAME:
            return None  # successes have no row of their own in that dimension
        return (kind, name_id) if by in {NameKind.TOTAL, kind} else None
