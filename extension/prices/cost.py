"""Cost of one request: parts with their rates, and what has no known cost."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType

from extension.prices.price import PriceSource, Quote
from extension.prices.rates import pico_usd, rate_for
from extension.prices.units import Unit, counted, input_tokens
from extension.usage.tokens import TokenCounts, TokenQuality

NO_UNITS: Mapping[Unit, int] = MappingProxyType({})


class MissingReason(StrEnum):
    """Reason for an unknown cost."""

    NO_PRICE = "no_price"
    """No list has the model."""
    NO_SERVICE_TIER = "no_service_tier"
    """The model has a price, and none for the service tier of the request."""
    NO_RATE = "no_rate"
    """The price has no rate for the unit."""
    UNCLASSIFIED = "unclassified"
    """The record does not say which kind these tokens are."""
    INCONSISTENT = "inconsistent"
    """The buckets of the record contradict its total."""
    NOT_REPORTED = "not_reported"
    """The request may have been served, and the gateway counted no token of it."""


@dataclass(frozen=True, slots=True)
class CostPart:
    """Cost of one unit: `count` at `amount` for `per`.

    `rate_of` is the unit that the rate is quoted for, `above` the volume threshold that applied.
    """

    unit: Unit
    count: int
    amount: Decimal
    per: int
    rate_of: Unit
    above: int | None
    pico: int


@dataclass(frozen=True, slots=True)
class MissingCost:
    """A count without a known cost; `unit` is None where the record does not tell it.

    A count of 0 marks a cost that is a lower bound by an unknown amount.
    """

    unit: Unit | None
    count: int
    reason: MissingReason


@dataclass(frozen=True, slots=True)
class RequestCost:
    """Cost of a request, with everything that explains it."""

    parts: tuple[CostPart, ...]
    missing: tuple[MissingCost, ...]
    quote: Quote | None = field(hash=False)

    @property
    def pico(self) -> int | None:
        """Sum of the parts in pico-USD; None when nothing of it is known."""
        if self.missing and not self.parts:
            return None
        return sum(part.pico for part in self.parts)

    @property
    def partial(self) -> bool:
        """Return whether the sum is a lower bound."""
        return bool(self.missing and self.parts)


def cost_of(tokens: TokenCounts, quote: Quote | MissingReason, units: Mapping[Unit, int] = NO_UNITS) -> RequestCost:
    """Compute the cost of a request's tokens and of its units beside tokens.

    `quote` is the price, or the reason for its absence. A rate for requests is applied where `units` counts requests.
    """
    if tokens.quality is TokenQuality.INCONSISTENT:
        # A sum over buckets that count tokens twice is not even a lower bound.
        return RequestCost((), (MissingCost(None, tokens.total, MissingReason.INCONSISTENT),), _quote(quote))
    every = (*counted(tokens), *((unit, count) for unit, count in units.items() if count))
    missing = list(_unclassified(tokens))
    if isinstance(quote, MissingReason):
        billed = (pair for pair in every if pair[0] is not Unit.REQUESTS)
        return RequestCost((), (*(MissingCost(unit, count, quote) for unit, count in billed), *missing), None)
    tokens_in = input_tokens(tokens)
    parts = []
    for unit, count in every:
        part = _part(unit, count, quote, tokens_in)
        if part is not None:
            parts.append(part)
            if _too_low(part, quote):
                missing.append(MissingCost(unit, 0, MissingReason.NO_RATE))
        elif unit is not Unit.REQUESTS:
            missing.append(MissingCost(unit, count, MissingReason.NO_RATE))
    return RequestCost(tuple(parts), tuple(missing), quote)


def _part(unit: Unit, count: int, quote: Quote, tokens_in: int) -> CostPart | None:
    found = rate_for(quote.rates, unit)
    if found is None:
        return None
    rate_of, rate = found
    threshold = rate.threshold_for(tokens_in)
    amount = rate.amount if threshold is None else threshold.amount
    above = None if threshold is None else threshold.above
    return CostPart(unit, count, amount, rate.per, rate_of, above, pico_usd(amount, rate.per, count))


def _too_low(part: CostPart, quote: Quote) -> bool:
    """Decide whether the true rate is higher: a list without a rate for an hour has that for five minutes at most.

    An override is a person's word: its rate for five minutes is documented to apply to an hour as well.
    """
    inherited = part.unit is Unit.CACHE_WRITE_1H and part.rate_of is not Unit.CACHE_WRITE_1H
    return inherited and part.amount > 0 and quote.source is not PriceSource.OVERRIDE


def _unclassified(tokens: TokenCounts) -> Iterator[MissingCost]:
    rest = tokens.total - tokens.classified
    if rest > 0:
        yield MissingCost(None, rest, MissingReason.UNCLASSIFIED)


def _quote(quote: Quote | MissingReason) -> Quote | None:
    return quote if isinstance(quote, Quote) else None
