"""Re-rating: the cost of stored requests under another price book, as a preview and as changes to store."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from extension.prices.cost import RequestCost
from extension.prices.price_book import PriceBook, Priced
from extension.prices.sums import CostSum
from extension.prices.units import Unit
from extension.usage.tokens import TokenCounts


@dataclass(frozen=True, slots=True)
class RatedEvent:
    """A stored request with the cost and the price version it was rated with; `pico` is None for an unknown cost."""

    id: int
    request: Priced
    tokens: TokenCounts
    pico: int | None
    partial: bool
    price_version: str
    units: dict[Unit, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RatingChange:
    """New cost of one stored request."""

    event: RatedEvent
    cost: RequestCost

    @property
    def price_version(self) -> str:
        """The price version of the new cost; empty without a price."""
        return self.cost.quote.version if self.cost.quote else ""


class RatedEvents(Protocol):
    """Stored requests that can be rated again. Both methods run within one transaction."""

    def rated(self, since_ms: int | None, until_ms: int | None) -> Iterable[RatedEvent]:
        """Yield the stored requests of a time, the oldest first; None is an open end."""

    def rerate(self, changes: Iterable[RatingChange]) -> None:
        """Store new costs, and carry the differences into every sum that holds the requests."""

    def rated_from_ms(self) -> int | None:
        """Answer the time of the oldest stored request: older sums keep their cost. None without any request."""


@dataclass(frozen=True, slots=True)
class Preview:
    """Effect of a re-rating: requests it looked at, those it would change, and their cost before and after."""

    examined: int
    changed: int
    before: CostSum
    after: CostSum


def changes(events: Iterable[RatedEvent], book: PriceBook) -> Iterator[RatingChange]:
    """Yield exactly the requests whose cost or price version differs under the book."""
    for event in events:
        change = RatingChange(event, book.cost(event.request, event.tokens, event.units))
        cost = change.cost
        if (cost.pico, cost.partial, change.price_version) != (event.pico, event.partial, event.price_version):
            yield change


def preview(events: Iterable[RatedEvent], book: PriceBook) -> Preview:
    """Compute the effect of a re-rating without storing anything."""
    counted = _Counted(events)
    before, after, changed = CostSum(), CostSum(), 0
    for change in changes(counted, book):
        changed += 1
        before += _stored(change.event)
        after += CostSum.of((change.cost,))
    return Preview(counted.number, changed, before, after)


def rerate(events: RatedEvents, book: PriceBook, since_ms: int | None = None, until_ms: int | None = None) -> Preview:
    """Rate stored requests again and store the changes; the result says what was changed."""
    found = tuple(changes(counted := _Counted(events.rated(since_ms, until_ms)), book))
    events.rerate(found)
    before = sum((_stored(change.event) for change in found), CostSum())
    return Preview(counted.number, len(found), before, CostSum.of(change.cost for change in found))


class _Counted:
    """Counts what passes through."""

    def __init__(self, events: Iterable[RatedEvent]) -> None:
        self._events = events
        self.number = 0

    def __iter__(self) -> Iterator[RatedEvent]:
        for event in self._events:
            self.number += 1
            yield event


def _stored(event: RatedEvent) -> CostSum:
    if event.pico is None:
        return CostSum(requests=1, unknown=1)
    return CostSum(event.pico, requests=1, incomplete=int(event.partial))
