"""Billable units: the token buckets, and the units beside tokens."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from extension.usage.tokens import BUCKETS, TokenCounts


class Unit(StrEnum):
    """A thing that is counted and priced; the token units are the buckets of `TokenCounts`."""

    INPUT = "input"
    CACHE_READ = "cache_read"
    CACHE_WRITE_5M = "cache_write_5m"
    CACHE_WRITE_1H = "cache_write_1h"
    OUTPUT = "output"
    REASONING = "reasoning"
    AUDIO_IN = "audio_in"
    AUDIO_OUT = "audio_out"
    IMAGE_IN = "image_in"
    IMAGE_OUT = "image_out"
    REQUESTS = "requests"
    IMAGES = "images"
    SECONDS = "seconds"
    SEARCHES = "searches"


TOKEN_UNITS: Final = tuple(Unit(bucket) for bucket in BUCKETS)
"""The units that are tokens."""

INPUT_UNITS: Final = (
    Unit.INPUT,
    Unit.CACHE_READ,
    Unit.CACHE_WRITE_5M,
    Unit.CACHE_WRITE_1H,
    Unit.AUDIO_IN,
    Unit.IMAGE_IN,
)
"""The units whose sum decides on volume thresholds."""

INHERITS: Final[Mapping[Unit, Unit]] = MappingProxyType(
    {
        Unit.CACHE_READ: Unit.INPUT,
        Unit.CACHE_WRITE_5M: Unit.INPUT,
        Unit.CACHE_WRITE_1H: Unit.CACHE_WRITE_5M,
        Unit.AUDIO_IN: Unit.INPUT,
        Unit.IMAGE_IN: Unit.INPUT,
        Unit.REASONING: Unit.OUTPUT,
        Unit.AUDIO_OUT: Unit.OUTPUT,
        Unit.IMAGE_OUT: Unit.OUTPUT,
    }
)
"""The unit whose rate applies where a list has no rate for a unit of its own: lists name only the exceptions."""

MILLION: Final = 1_000_000
PER: Final[Mapping[Unit, int]] = MappingProxyType(
    {unit: MILLION if unit in TOKEN_UNITS else 1_000 if unit is Unit.SEARCHES else 1 for unit in Unit}
)
"""The count that an amount of a unit is quoted for."""


def counted(tokens: TokenCounts) -> Iterator[tuple[Unit, int]]:
    """Yield the token units of a request that are not zero, with their counts."""
    for unit in TOKEN_UNITS:
        count = getattr(tokens, unit.value)
        if count:
            yield unit, count


def input_tokens(tokens: TokenCounts) -> int:
    """Count all tokens of the input, cached or not."""
    return sum(getattr(tokens, unit.value) for unit in INPUT_UNITS)
