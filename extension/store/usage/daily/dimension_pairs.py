"""Pairs of dimensions whose names are summed up together by the day."""

from dataclasses import dataclass
from itertools import combinations
from typing import Final

from extension.store.usage.dimensions import NameKind

_SHIFT: Final = 16


@dataclass(frozen=True, slots=True)
class DimensionPair:
    """Two dimensions, in the order in which their names are stored."""

    first: NameKind
    second: NameKind

    @property
    def number(self) -> int:
        """Number of the pair, as stored."""
        return self.first * _SHIFT + self.second


PAIRS: Final = tuple(
    DimensionPair(first, second)
    for first, second in combinations(
        (NameKind.PROVIDER, NameKind.MODEL, NameKind.FAILURE, NameKind.ACCOUNT, NameKind.CLIENT), 2
    )
)
"""Every pair, those of dimensions with few names first. The empty failure stands for success."""
