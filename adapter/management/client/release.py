"""Which gateway this is, and what its version can do: one table, asked once per connection. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final


class Feature(Enum):
    """Something a stock gateway learned at some version."""

    HEALTH = "a health path without a key"
    SECTION_INDEX = "auth-index in the lists of API keys"
    KEY_ACTIVITY = "counters of API keys"
    USAGE_QUEUE = "the usage queue"
    KEY_STATUS = "status changes of configuration keys by id"
    CALL_TIMEOUT = "a time limit named in a call"


FIRST_STOCK: Final[Mapping[Feature, tuple[int, int, int] | None]] = {
    Feature.HEALTH: (6, 9, 10),
    Feature.SECTION_INDEX: (6, 9, 29),
    Feature.KEY_ACTIVITY: (6, 9, 47),
    Feature.USAGE_QUEUE: (6, 10, 8),
    Feature.KEY_STATUS: (7, 2, 5),
    Feature.CALL_TIMEOUT: None,
}
"""The first stock version of each; None: no stock version has it."""

_NUMBERS: Final = re.compile(r"v?(\d+)\.(\d+)\.(\d+)")
_OWN_MAJOR: Final = 0
STOCK_NAME: Final = "cliproxyapi"
OWN_NAME: Final = "poolkeeper-gateway"


@dataclass(frozen=True, slots=True)
class Release:
    """A gateway's version as it says it. A build without a number is taken for the newest there is."""

    version: str
    numbers: tuple[int, int, int] | None

    @property
    def own(self) -> bool:
        """Whether it is the gateway of this project, whose versions start with 0."""
        return self.numbers is not None and self.numbers[0] == _OWN_MAJOR

    @property
    def name(self) -> str:
        """What kind of gateway it is."""
        return OWN_NAME if self.own else STOCK_NAME

    def has(self, feature: Feature) -> bool:
        """Whether this version has a feature. Of our own gateway each is assumed, and found missing when it is used."""
        if self.own:
            return True
        first = FIRST_STOCK[feature]
        return first is not None and (self.numbers is None or self.numbers >= first)

    def lacks(self) -> tuple[str, ...]:
        """What later versions have and this one has not: each with the version that brought it."""
        return tuple(
            f"{feature.value} (since {_version(first)})"
            for feature, first in FIRST_STOCK.items()
            if first is not None and not self.has(feature)
        )


def _version(numbers: tuple[int, int, int]) -> str:
    return f"v{'.'.join(str(number) for number in numbers)}"


def release_of(header: Mapping[str, str]) -> Release | None:
    """Read the version from an answer's headers (names in lower case); None when no gateway of this kind answered."""
    version = header.get("x-cpa-version", "").strip()
    if not version:
        return None
    found = _NUMBERS.match(version)
    numbers = (int(found[1]), int(found[2]), int(found[3])) if found else None
    return Release(version.removeprefix("v"), numbers)
