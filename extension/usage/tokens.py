"""Mutually exclusive token buckets of one request."""

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Final


class TokenQuality(StrEnum):
    """Reliability of the buckets of a record."""

    COMPLETE = "complete"
    """The buckets make up the total."""
    UNCLASSIFIED = "unclassified"
    """Part of the total belongs to no bucket."""
    INCONSISTENT = "inconsistent"
    """Buckets and total disagree; both are kept as reported."""


_SUM: Final = -1


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """Tokens of one request: every token is in one bucket at most."""

    input: int = 0
    """Input read from no cache and written to none."""
    cache_read: int = 0
    cache_write_5m: int = 0
    """Input written to a cache for the usual lifetime, or for one that the record does not name."""
    cache_write_1h: int = 0
    output: int = 0
    """Output without reasoning."""
    reasoning: int = 0
    audio_in: int = 0
    audio_out: int = 0
    image_in: int = 0
    image_out: int = 0
    quality: TokenQuality = TokenQuality.COMPLETE
    total: int = _SUM
    """Total as reported; the sum of the buckets unless given."""

    def __post_init__(self) -> None:
        """Refuse negative counts, and a quality that contradicts the counts."""
        if self.total == _SUM:
            object.__setattr__(self, "total", self.classified)
        if min(self.total, *(getattr(self, name) for name in BUCKETS)) < 0:
            raise ValueError("A count of tokens is at least 0.")
        if self.quality is TokenQuality.COMPLETE and self.total != self.classified:
            raise ValueError("The buckets of complete counts make up the total.")

    @property
    def classified(self) -> int:
        """Sum of the buckets."""
        return sum(getattr(self, name) for name in BUCKETS)


BUCKETS: Final = tuple(field.name for field in fields(TokenCounts) if field.name not in {"quality", "total"})
"""Names of the buckets, in the order of the fields."""
