"""Dimensions of usage: each names a column of events, and a kind of names."""

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Final

from extension.usage.tokens import TokenQuality


class NameKind(IntEnum):
    """Kinds of names, as stored."""

    TOTAL = 0
    MODEL = 1
    ACCOUNT = 2
    CLIENT = 3
    PROVIDER = 4
    FAILURE = 5
    ALIAS = 6
    ENDPOINT = 7
    TIER = 8


COLUMNS: Final[Mapping[NameKind, str]] = MappingProxyType(
    {kind: f"{kind.name.lower()}_id" for kind in NameKind if kind is not NameKind.TOTAL}
)
"""Column of events that holds the id of a name."""

ROLLED_UP: Final = (
    NameKind.TOTAL,
    NameKind.MODEL,
    NameKind.ACCOUNT,
    NameKind.CLIENT,
    NameKind.PROVIDER,
    NameKind.FAILURE,
)
"""Dimensions with hourly rollups."""

NO_NAME: Final = 0
"""Id of the empty name."""

QUALITIES: Final = tuple(TokenQuality)
"""Qualities by their stored number."""
