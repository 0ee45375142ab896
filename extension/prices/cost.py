"""Cost of requests: parts with their rates, counts without a known cost, and sums that mark their gaps."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from extension.prices.price import PriceSource, Quote
from extension.prices.rates import PICO, Rate, Unit, counted, input_tokens, pico_usd, rate_for
from extension.usage.event import TokenCounts, TokenQuality
from extension.usage.record_form import Part

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
    HIDDEN = "hidden"
    """The record does not show this part of the request."""
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
        inconsistent = MissingCost(None, tokens.total, MissingReason.INCONSISTENT)
        return RequestCost((), (inconsistent,), quote if isinstance(quote, Quote) else None)
    every = (*counted(tokens), *((unit, count) for unit, count in units.items() if count))
    rest = tokens.total - tokens.classified
    missing = [MissingCost(None, rest, MissingReason.UNCLASSIFIED)] if rest > 0 else []
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
    match = rate_for(quote.rates, unit)
    if match is None:
        return None
    rate_of, rate = match
    threshold = rate.threshold_for(tokens_in)
    amount = rate.amount if threshold is None else threshold.amount
    above = None if threshold is None else threshold.above
    return CostPart(unit, count, amount, rate.per, rate_of, above, pico_usd(amount, rate.per, count))


_APART: Final = frozenset({Unit.AUDIO_IN, Unit.AUDIO_OUT, Unit.IMAGE_IN, Unit.IMAGE_OUT})


def _too_low(part: CostPart, quote: Quote) -> bool:
    """Decide whether the true rate may be higher: that of audio and images is not the one of text.

    A list without a rate for an hour has that for five minutes at most; an override is a person's word, and its rate
    for five minutes is documented to apply to an hour as well.
    """
    if part.rate_of is part.unit or not part.amount:
        return False
    return part.unit in _APART or (part.unit is Unit.CACHE_WRITE_1H and quote.source is not PriceSource.OVERRIDE)


@dataclass(frozen=True, slots=True)
class CostSum:
    """Sum of the known costs of `requests`; `incomplete` of them have an unknown part, `unknown` no known part."""

    pico: int = 0
    requests: int = 0
    incomplete: int = 0
    unknown: int = 0

    def __add__(self, other: "CostSum") -> "CostSum":
        return CostSum(
            self.pico + other.pico,
            self.requests + other.requests,
            self.incomplete + other.incomplete,
            self.unknown + other.unknown,
        )

    @property
    def known(self) -> bool:
        """Return whether anything of the sum is known; a sum over nothing is zero."""
        return self.unknown < self.requests or not self.requests

    @property
    def partial(self) -> bool:
        """Return whether the sum is a lower bound."""
        return self.known and bool(self.incomplete or self.unknown)


def usd(pico: int) -> Decimal:
    """Convert pico-USD to US dollars, exactly."""
    return Decimal(pico).scaleb(-12) if pico % PICO else Decimal(pico // PICO)


@dataclass(frozen=True, slots=True)
class PriceUse:
    """Use of one price at the same volume: `parts` and the `rounding` of single requests make up `pico`.

    `unclassified` tokens belong to no part. `quote` is None for requests that needed no price. `hidden` parts may cost
    more, and the records of some of the requests do not show them.
    """

    version: str
    quote: Quote | None
    above: int | None
    requests: int
    incomplete: int
    pico: int
    parts: tuple[CostPart, ...]
    unclassified: int
    hidden: tuple[Part, ...] = ()

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
    pruned_before: int = 0
    """Events from before this time were removed, and are not in here."""


def thresholds(quote: Quote) -> tuple[int, ...]:
    """Return the volume thresholds of a price, ascending."""
    return tuple(sorted({threshold.above for rate in quote.rates.values() for threshold in rate.thresholds}))


def parts_of(
    quote: Quote, above: int | None, buckets: Mapping[str, int], units: Mapping[Unit, int]
) -> tuple[CostPart, ...]:
    """Compute the parts of summed buckets, and of units beside tokens, at the rates above a threshold."""
    rates = {unit: _flat(rate, above) for unit, rate in quote.rates.items()}
    flat = Quote(quote.source, quote.provider, quote.model, quote.service_tier, quote.valid_from, rates)
    return cost_of(summed(buckets), flat, units).parts


def summed(buckets: Mapping[str, int]) -> TokenCounts:
    """Return sums of buckets as the counts of one request."""
    return TokenCounts(**buckets)  # type: ignore[arg-type]  # the names are those of buckets


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
