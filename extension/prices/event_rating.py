"""Rating of usage events: the cost of each from a price book, with quotes kept by model, service tier and day."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final, TypeAlias

from extension.prices.cost import MissingCost, MissingReason, RequestCost, cost_of
from extension.prices.price import Quote
from extension.prices.price_book import PriceBook, Priced
from extension.prices.refusals import certainly_unserved
from extension.prices.units import Unit, input_tokens
from extension.usage.cost import EventCost
from extension.usage.event import UsageEvent

_DAY_MS: Final = 24 * 3_600_000
_MINUTE_MS: Final = 60_000
_MOST_QUOTES: Final = 20_000
_MOST_MODELS: Final = 5_000
_CLAUDE: Final = "claude"
_NO_CHARGE: Final = RequestCost((), (), None)
_ONE_REQUEST: Final[Mapping[Unit, int]] = MappingProxyType({Unit.REQUESTS: 1})
_NO_UNITS: Final[Mapping[Unit, int]] = MappingProxyType({})
_Rated: TypeAlias = tuple[Quote | MissingReason, str, str]
"""A quote with its version and its terms, which take longer to compute than a cost."""


class EventRating:
    """Rates events by one price book."""

    def __init__(self, book: PriceBook) -> None:
        self._book = book
        self._quotes: dict[tuple[str, str, str, int], _Rated] = {}
        self._spans: dict[tuple[str, str], int] = {}

    def cost(self, event: UsageEvent) -> EventCost | None:
        """Return the cost of an event to store; None where nothing of it is known."""
        rated = self._rated(event)
        found = _event_cost(event, rated[0])
        pico = found.pico
        if pico is None:
            return None
        if found.quote is None:
            return EventCost(pico, "")
        return EventCost(pico, rated[1], found.partial, rated[2])

    def request_cost(self, event: UsageEvent) -> RequestCost:
        """Return the cost of an event with everything that explains it."""
        return _event_cost(event, self._rated(event)[0])

    def _rated(self, event: UsageEvent) -> _Rated:
        span = self._span(event.provider, event.model)
        key = (event.provider, event.model, event.tier, event.at // span)
        found = self._quotes.get(key)
        if found is None:
            if len(self._quotes) >= _MOST_QUOTES:
                self._quotes.clear()
            found = self._quotes[key] = self._asked(event)
        return found

    def _asked(self, event: UsageEvent) -> _Rated:
        at = datetime.fromtimestamp(event.at / 1000, UTC)
        quote = self._book.quote(Priced(event.provider, event.model, at, event.tier))
        if isinstance(quote, MissingReason):
            return quote, "", "{}"
        return quote, quote.version, json.dumps(quote.terms, separators=(",", ":"))

    def _span(self, provider: str, model: str) -> int:
        """Return how long a quote of a model holds: a day, or a minute where prices depend on the hour."""
        key = (provider, model)
        found = self._spans.get(key)
        if found is None:
            if len(self._spans) >= _MOST_MODELS:
                self._spans.clear()
            found = self._spans[key] = _MINUTE_MS if self._book.depends_on_hour(provider, model) else _DAY_MS
        return found


def _event_cost(event: UsageEvent, quote: Quote | MissingReason) -> RequestCost:
    """Compute the cost of an event.

    An attempt without any token is one that the gateway could not count, so its cost is unknown. Only one that was
    certainly refused costs nothing, whatever the price.
    """
    units = _NO_UNITS if event.failure else _ONE_REQUEST
    if event.tokens.total or event.tokens.classified:
        found = cost_of(event.tokens, quote, units)
        return _without(found, Unit.INPUT) if _lacks_input(event) else found
    if event.failure and certainly_unserved(event.status):
        return _NO_CHARGE
    return _without(cost_of(event.tokens, quote, units), None)


def _lacks_input(event: UsageEvent) -> bool:
    """Decide whether a gateway missed the input: an answer of Claude without any input token cannot be.

    Stock releases up to 7.2.140 read the last event of a stream alone, and Claude may count the input in the first.
    """
    return event.provider == _CLAUDE and not input_tokens(event.tokens) and event.tokens.output > 0


def _without(cost: RequestCost, unit: Unit | None) -> RequestCost:
    """Mark a cost as a lower bound, by a unit that was not counted."""
    return RequestCost(cost.parts, (*cost.missing, MissingCost(unit, 0, MissingReason.NOT_REPORTED)), cost.quote)
