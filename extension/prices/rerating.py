"""Re-rating: the cost of stored requests under another price book, as changes to store and as their effect."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from extension.prices.event_rating import EventRating
from extension.prices.sums import CostSum
from extension.usage.cost import EventCost
from extension.usage.event import UsageEvent

NOTHING: Final = CostSum()
"""Sum over no request."""
LONGEST_SECONDS: Final = 1.0
"""Time that a batch may take before the next is made smaller."""
LEAST_BATCH: Final = 20


@dataclass(frozen=True, slots=True)
class RatedEvent:
    """A stored request with the cost and the price version it was rated with; `pico` is None for an unknown cost."""

    id: int
    event: UsageEvent
    pico: int | None
    partial: bool
    price_version: str


@dataclass(frozen=True, slots=True)
class RatingChange:
    """New cost of one stored request; None where it is unknown now."""

    event: RatedEvent
    cost: EventCost | None


@dataclass(frozen=True, slots=True)
class Preview:
    """Effect of a re-rating: requests it looked at, those it would change, and their cost before and after.

    `until` is the time of the last request looked at where there are more; None where all were.
    """

    examined: int = 0
    changed: int = 0
    before: CostSum = NOTHING
    after: CostSum = NOTHING
    until: int | None = None

    def __add__(self, other: "Preview") -> "Preview":
        """Add the effect on other requests."""
        return Preview(
            self.examined + other.examined,
            self.changed + other.changed,
            self.before + other.before,
            self.after + other.after,
        )


def changes(events: Iterable[RatedEvent], rating: EventRating) -> Iterator[RatingChange]:
    """Yield exactly the requests whose cost or price version differs under the rating."""
    for event in events:
        cost = rating.cost(event.event)
        now = (None, False, "") if cost is None else (cost.pico_usd, cost.partial, cost.price_version)
        if now != (event.pico, event.partial, event.price_version):
            yield RatingChange(event, cost)


def effect(examined: int, found: Sequence[RatingChange]) -> Preview:
    """Sum up the effect of changes."""
    before, after = CostSum(), CostSum()
    for change in found:
        cost = change.cost
        before += _sum(change.event.pico, partial=change.event.partial)
        after += CostSum(requests=1, unknown=1) if cost is None else _sum(cost.pico_usd, partial=cost.partial)
    return Preview(examined, len(found), before, after)


def _sum(pico: int | None, *, partial: bool) -> CostSum:
    return CostSum(requests=1, unknown=1) if pico is None else CostSum(pico, requests=1, incomplete=int(partial))


def next_batch(size: int, seconds: float, most: int) -> int:
    """Return the size of the next batch: half after a slow one, twice the size after a fast one.

    A batch is one transaction, and other writers wait for it.
    """
    if seconds > LONGEST_SECONDS:
        return max(LEAST_BATCH, size // 2)
    return min(most, size * 2) if seconds < LONGEST_SECONDS / 4 else min(most, size)
