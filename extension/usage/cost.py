"""Cost of an event, as an interface: the writer asks, lists of prices answer."""

from dataclasses import dataclass
from typing import Protocol

from extension.usage.event import UsageEvent


@dataclass(frozen=True, slots=True)
class EventCost:
    """Exact cost of one event and the version of the price it was computed with."""

    pico_usd: int
    """Integer trillionths of a US dollar."""
    price_version: int


class CostSource(Protocol):
    """Source of the cost of events. It is asked in a thread of the store and reads no database."""

    def cost(self, event: UsageEvent) -> EventCost | None:
        """Return the cost of an event; None where no price is known, which is not zero."""


class NoPrices:
    """A `CostSource` without prices: every cost is unknown."""

    def cost(self, event: UsageEvent) -> EventCost | None:  # noqa: ARG002 - the interface's
        """See `CostSource`."""
        return None
