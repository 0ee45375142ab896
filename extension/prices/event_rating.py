"""Rating of usage events by a price book, and of stored ones again."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final, TypeAlias

from extension.prices.cost import NO_UNITS, CostSum, MissingCost, MissingReason, RequestCost, cost_of
from extension.prices.hidden_parts import LOWERING, hidden_costs, lowest
from extension.prices.price import Quote
from extension.prices.price_book import PriceBook, Priced
from extension.prices.rates import Unit, input_tokens
from extension.usage.event import EventCost, UsageEvent
from extension.usage.record_form import Part

_FIRST_CLIENT_ERROR: Final = 400
_FIRST_SERVER_ERROR: Final = 500
_BROKEN_OFF: Final = frozenset({408, 499})
_NOT_TAKEN: Final = frozenset({501, 503, 529})  # not implemented, unavailable, and overloaded (Anthropic's own)


def certainly_unserved(status: int) -> bool:
    """Decide whether a failed attempt with this status was refused before the upstream began to serve it."""
    if _FIRST_CLIENT_ERROR <= status < _FIRST_SERVER_ERROR:
        return status not in _BROKEN_OFF
    return status in _NOT_TAKEN


_DAY_MS: Final = 24 * 3_600_000
_MINUTE_MS: Final = 60_000
_MOST_QUOTES: Final = 20_000
_MOST_MODELS: Final = 5_000
_CLAUDE: Final = "claude"
_NO_CHARGE: Final = RequestCost((), (), None)
_ONE_REQUEST: Final[Mapping[Unit, int]] = MappingProxyType({Unit.REQUESTS: 1})
_Rated: TypeAlias = tuple[Quote | MissingReason, str, str]
"""A quote with its version and its terms, which take longer to compute than a cost."""


class EventRating:
    """Rates events by one price book."""

    def __init__(self, book: PriceBook) -> None:
        self._book = book
        self._quotes: dict[tuple[str, str, str, str, Part, int], _Rated] = {}
        self._spans: dict[tuple[str, str], int] = {}

    def cost(self, event: UsageEvent) -> EventCost | None:
        """Return the cost of an event to store; None where nothing of it is known."""
        rated = self._rated(event)
        cost = _event_cost(event, rated[0])
        pico = cost.pico
        if pico is None:
            return None
        if cost.quote is None:
            return EventCost(pico, "")
        return EventCost(pico, rated[1], cost.partial, rated[2])

    def _rated(self, event: UsageEvent) -> _Rated:
        span = self._span(event.provider, event.model)
        hidden = event.hidden & LOWERING
        key = (event.provider, event.model, event.alias, event.tier, hidden, event.at // span)
        rated = self._quotes.get(key)
        if rated is None:
            if len(self._quotes) >= _MOST_QUOTES:
                self._quotes.clear()
            rated = self._quotes[key] = self._asked(event)
        return rated

    def _asked(self, event: UsageEvent) -> _Rated:
        at = datetime.fromtimestamp(event.at / 1000, UTC)
        quote = self._book.quote(Priced(event.provider, event.model, at, event.tier, event.alias))
        if isinstance(quote, MissingReason):
            return quote, "", "{}"
        quote = lowest(quote, event.hidden)
        return quote, quote.version, json.dumps(quote.terms, separators=(",", ":"))

    def _span(self, provider: str, model: str) -> int:
        """Return how long a quote of a model holds: a day, or a minute where prices depend on the hour."""
        key = (provider, model)
        span = self._spans.get(key)
        if span is None:
            if len(self._spans) >= _MOST_MODELS:
                self._spans.clear()
            span = self._spans[key] = _MINUTE_MS if self._book.depends_on_hour(provider, model) else _DAY_MS
        return span


def _event_cost(event: UsageEvent, quote: Quote | MissingReason) -> RequestCost:
    """Compute the cost of an event.

    An attempt without any token is one that the gateway could not count, so its cost is unknown. Only one that was
    certainly refused costs nothing, whatever the price.
    """
    units = NO_UNITS if event.failure else _ONE_REQUEST
    if event.searches:
        units = {**units, Unit.SEARCHES: event.searches}
    if event.tokens.total or event.tokens.classified:
        cost = cost_of(event.tokens, quote, units)
        return _bounded(_without(cost, Unit.INPUT) if _lacks_input(event) else cost, event)
    if event.failure and certainly_unserved(event.status):
        return _NO_CHARGE
    return _without(cost_of(event.tokens, quote, units), None)


def _bounded(cost: RequestCost, event: UsageEvent) -> RequestCost:
    """Mark a cost as a lower bound where the record hides a part that the price has a rate for."""
    if cost.quote is None or not cost.parts:
        return cost
    hidden = [MissingCost(None, 0, MissingReason.HIDDEN) for _ in hidden_costs(cost.quote, event.tokens, event.hidden)]
    return RequestCost(cost.parts, (*cost.missing, *hidden), cost.quote)


def _lacks_input(event: UsageEvent) -> bool:
    """Decide whether a gateway missed the input: an answer of Claude without any input token cannot be.

    Stock releases up to 7.2.140 read the last event of a stream alone, and Claude may count the input in the first.
    """
    return event.provider == _CLAUDE and not input_tokens(event.tokens) and event.tokens.output > 0


def _without(cost: RequestCost, unit: Unit | None) -> RequestCost:
    """Mark a cost as a lower bound, by a unit that was not counted."""
    return RequestCost(cost.parts, (*cost.missing, MissingCost(unit, 0, MissingReason.NOT_REPORTED)), cost.quote)


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


def effect(examined: int, changes_of_batch: Sequence[RatingChange]) -> Preview:
    """Sum up the effect of changes."""
    before, after = CostSum(), CostSum()
    for change in changes_of_batch:
        cost = change.cost
        before += _sum(change.event.pico, partial=change.event.partial)
        after += CostSum(requests=1, unknown=1) if cost is None else _sum(cost.pico_usd, partial=cost.partial)
    return Preview(examined, len(changes_of_batch), before, after)


def _sum(pico: int | None, *, partial: bool) -> CostSum:
    return CostSum(requests=1, unknown=1) if pico is None else CostSum(pico, requests=1, incomplete=int(partial))


def next_batch(size: int, seconds: float, most: int) -> int:
    """Return the size of the next batch: half after a slow one, twice the size after a fast one.

    A batch is one transaction, and other writers wait for it.
    """
    if seconds > LONGEST_SECONDS:
        return max(LEAST_BATCH, size // 2)
    return min(most, size * 2) if seconds < LONGEST_SECONDS / 4 else min(most, size)
