"""Cost of an event, as an interface: the writer asks, lists of prices answer."""

from dataclasses import dataclass
from typing import Protocol

from extension.usage.event import UsageEvent


@dataclass(frozen=True, slots=True)
class EventCost:
    """Exact cost of one event and the price it was computed with.

    `price_version` identifies the price and is empty where none was needed; `terms` is the price as JSON text.
    """

    pico_usd: int
    """Integer trillionths of a US dollar."""
    price_version: str
    partial: bool = False
    """Whether the cost is a lower bound."""
    terms: str = "{}"


class CostSource(Protocol):
    """Source of the cost of events. `cost` is asked in a thread of the store and reads no database."""

    async def refresh(self) -> None:
        """Take over prices that were changed; called before a batch of events."""

    def cost(self, event: UsageEvent) -> EventCost | None:
        """Return the cost of an event; None where no price is known, which is not zero."""


class NoPrices:
    """A `CostSource` without prices: every cost is unknown."""

    async def refresh(self) -> None:
        """See `CostSource`."""

    def cost(self, event: UsageEvent) -> EventCost | None:  # noqa: ARG002 - the interface's
        """See `CostSource`."""
        return None
