"""A question about sums."""

from dataclasses import dataclass

from extension.store.usage.dimensions import NameKind
from extension.store.usage.filtering import NamedFilter


@dataclass(frozen=True, slots=True)
class Query:
    """Sums wanted: of one pool, filtered, grouped by a dimension; `names` are ids of groups, None for all."""

    pool_id: int
    filter: NamedFilter
    by: NameKind
    latencies: bool = True
    names: tuple[int, ...] | None = None
