"""Effect of other prices on the cost of stored requests."""

from typing import Self

from extension.api.payloads.payload import Payload
from extension.prices.cost import CostSum, usd
from extension.prices.event_rating import Preview


class CostSumView(Payload):
    """Sum of costs; `usd` is null where none is known, and a lower bound where it is `partial`."""

    usd: str | None
    partial: bool
    unpriced: int

    @classmethod
    def of(cls, found: CostSum) -> Self:
        """Show a sum."""
        return cls(
            usd=format(usd(found.pico), "f") if found.known else None, partial=found.partial, unpriced=found.unknown
        )


class RerateEffectView(Payload):
    """Effect of a re-rating: requests looked at, those that change, and the cost of these before and after.

    A preview looks at the first 20,000 requests of a period: `until` is the time of the last of them, null where these
    are all.
    """

    examined: int
    changed: int
    before: CostSumView
    after: CostSumView
    until: int | None

    @classmethod
    def of(cls, found: Preview) -> Self:
        """Show an effect."""
        return cls.showing(found, before=CostSumView.of(found.before), after=CostSumView.of(found.after))
