"""Release of a gateway and its features, as one table. Pure."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from adapter.clock import Clock
from adapter.port import errors
from adapter.rules.identity import IdRule


class Feature(Enum):
    """Ability that came to the stock gateway with some version."""

    HEALTH = "a health path without a key"
    SECTION_INDEX = "auth-index in the lists of API keys"
    KEY_ACTIVITY = "counters of API keys"
    USAGE_QUEUE = "the usage queue"
    USAGE_SUBSCRIPTION = "the subscription to usage records"
    LIVE_INDEX = "auth-index of live keys only"
    KEY_STATUS = "status changes of configuration keys by id"
    CALL_PROXY = "a proxy named in a call"
    CALL_TIMEOUT = "a time limit named in a call"


FIRST_STOCK: Final[Mapping[Feature, tuple[int, int, int] | None]] = {
    Feature.HEALTH: (6, 9, 10),
    Feature.SECTION_INDEX: (6, 9, 29),
    Feature.KEY_ACTIVITY: (6, 9, 47),
    Feature.USAGE_QUEUE: (6, 10, 8),
    # the oldest release it was tried with; v7.0.0 answers that it does not know the command
    Feature.USAGE_SUBSCRIPTION: (7, 1, 47),
    Feature.LIVE_INDEX: (7, 1, 43),
    Feature.KEY_STATUS: (7, 2, 5),
    Feature.CALL_PROXY: (7, 2, 130),
    Feature.CALL_TIMEOUT: None,
}
"""The first stock version of each; None: no stock version has it."""

_WHOLE_ENTRY_IDS: Final = (7, 2, 138)
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
        """True for the gateway of this project, whose versions start with 0."""
        return self.numbers is not None and self.numbers[0] == _OWN_MAJOR

    @property
    def name(self) -> str:
        return OWN_NAME if self.own else STOCK_NAME

    @property
    def id_rule(self) -> IdRule:
        if self.own or self.numbers is None or self.numbers >= _WHOLE_ENTRY_IDS:
            return IdRule.WHOLE_ENTRY
        return IdRule.KEY_AND_ADDRESS

    def has(self, feature: Feature) -> bool:
        """Return whether this version has a feature; our own gateway is assumed to have each until a use fails."""
        if self.own:
            return feature is not Feature.USAGE_SUBSCRIPTION
        first = FIRST_STOCK[feature]
        return first is not None and (self.numbers is None or self.numbers >= first)

    def lacks(self) -> tuple[str, ...]:
        """Return the features of later versions that this one lacks, each with its first version."""
        return tuple(
            f"{feature.value} (since {_version(first)})"
            for feature, first in FIRST_STOCK.items()
            if first is not None and not self.own and not self.has(feature)
        )


def _version(numbers: tuple[int, int, int]) -> str:
    return f"v{'.'.join(str(number) for number in numbers)}"


def release_of(header: Mapping[str, str]) -> Release | None:
    """Read the version from an answer's headers (names in lower case); None when no gateway of this kind answered."""
    version = header.get("x-cpa-version", "").strip()
    if not version:
        return None
    match = _NUMBERS.match(version)
    numbers = (int(match[1]), int(match[2]), int(match[3])) if match else None
    return Release(version.removeprefix("v"), numbers)


_MEASUREMENTS: Final = 3


class ReleaseCheck:
    """Asks until it is answered once. Callers that wait for one another get one failure together, not each its own."""

    def __init__(self, clock: Clock, ask: Callable[[], Awaitable[tuple[Release, float]]]) -> None:
        self._clock = clock
        self._ask = ask
        self._asking = asyncio.Lock()
        self._release: Release | None = None
        self._failed: tuple[float, errors.GatewayError] | None = None
        self.cost = 0.0
        """Seconds the gateway takes for a call that does nothing; 0 until it has answered."""

    async def release(self, recognized: Callable[[], None]) -> Release:
        """Return the gateway's release; `recognized` is called when it is known for the first time.

        Raises:
            GatewayError: it could not be asked, or no gateway of this kind answers.
        """
        began = self._clock.monotonic()
        async with self._asking:
            if self._release is not None:
                return self._release
            if self._failed is not None and self._failed[0] > began:
                raise self._failed[1]
            try:
                release, _ = await self._ask()
                self.cost = min([(await self._ask())[1] for _ in range(_MEASUREMENTS)])
            except errors.GatewayError as error:
                self._failed = self._clock.monotonic(), error
                raise
            recognized()
            self._release = release
            return release
