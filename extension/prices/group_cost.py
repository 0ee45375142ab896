"""Explanation of a sum of costs: for each price, tokens times rate, and the requests without a known cost."""

from collections.abc import Mapping
from dataclasses import dataclass

from extension.prices.cost import CostPart, MissingReason, cost_of
from extension.prices.price import Quote
from extension.prices.rates import Rate
from extension.prices.units import Unit
from extension.usage.tokens import TokenCounts, TokenQuality


@dataclass(frozen=True, slots=True)
class PriceUse:
    """Use of one price at the same volume: `parts` and the `rounding` of single requests make up `pico`.

    `unclassified` tokens belong to no part. `quote` is None for requests that needed no price.
    """

    version: str
    quote: Quote | None
    above: int | None
    requests: int
    incomplete: int
    pico: int
    parts: tuple[CostPart, ...]
    unclassified: int

    @property
    def rounding(self) -> int:
        """Cost beyond the parts: each request was rounded to whole pico-USD."""
        return self.pico - sum(part.pico for part in self.parts)


@dataclass(frozen=True, slots=True)
class UnpricedUse:
    """Requests without a known cost, and the reason; `priced_now` where the prices in force have one."""

    provider: str
    model: str
    service_tier: str
    requests: int
    tokens: int
    reason: MissingReason
    priced_now: bool


@dataclass(frozen=True, slots=True)
class GroupCost:
    """Everything that a sum of costs is made of, the dearest price first; `left_off` prices are not listed."""

    prices: tuple[PriceUse, ...]
    unpriced: tuple[UnpricedUse, ...]
    left_off: int


def thresholds(quote: Quote) -> tuple[int, ...]:
    """Return the volume thresholds of a price, ascending."""
    return tuple(sorted({each.above for rate in quote.rates.values() for each in rate.thresholds}))


def parts_of(quote: Quote, above: int | None, buckets: Mapping[str, int], successes: int) -> tuple[CostPart, ...]:
    """Compute the parts of summed buckets, and of successful requests, at the rates above a threshold."""
    rates = {unit: _flat(rate, above) for unit, rate in quote.rates.items()}
    flat = Quote(quote.source, quote.provider, quote.model, quote.service_tier, quote.valid_from, rates)
    counted = TokenCounts(**buckets)  # type: ignore[arg-type]  # the names are those of buckets
    return cost_of(counted, flat, {Unit.REQUESTS: successes}).parts


def unpriced_reason(quote: Quote | MissingReason, quality: TokenQuality, tokens: int) -> tuple[MissingReason, bool]:
    """Return the reason for an unknown cost, and whether the prices in force have a cost."""
    if quality is TokenQuality.INCONSISTENT:
        return MissingReason.INCONSISTENT, False
    if not tokens:
        return MissingReason.NOT_REPORTED, False
    if isinstance(quote, MissingReason):
        return quote, False
    if quality is TokenQuality.UNCLASSIFIED:
        return MissingReason.UNCLASSIFIED, False
    return MissingReason.NO_PRICE, True


def _flat(rate: Rate, above: int | None) -> Rate:
    threshold = None if above is None else rate.threshold_for(above + 1)
    return Rate(rate.amount if threshold is None else threshold.amount, rate.per)
