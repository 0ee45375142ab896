"""A question about sums."""

from collections.abc import Hashable
from dataclasses import dataclass

from extension.store.usage.dimensions import NameKind
from extension.store.usage.filtering import NamedFilter


@dataclass(frozen=True, slots=True)
class Query:
    """Sums wanted: of one pool, filtered, grouped by a dimension; `names` are ids of groups, None for all.

    With `rest`, events of other names than `names` are summed up together. Without `buckets`, tokens are summed up as
    totals alone, and qualities are not counted: a chart shows neither.
    """

    pool_id: int
    filter: NamedFilter
    by: NameKind
    latencies: bool = True
    names: tuple[int, ...] | None = None
    buckets: bool = True
    rest: bool = False

    @property
    def key(self) -> Hashable:
        """Identity of what is read for the question from rollups that serve it."""
        return self.filter.rollup(self.by), self.by, self._names, self.buckets

    @property
    def event_key(self) -> Hashable:
        """Identity of what is read for the question from events."""
        return self.filter.wanted, self.by, self._names, self.buckets

    @property
    def _names(self) -> frozenset[int] | None:
        """Names whatever their rank, which changes more often than they do."""
        return None if self.names is None else frozenset(self.names)
