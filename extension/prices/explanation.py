"""The answer to "why this number": a cost in sentences."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from extension.prices.cost import CostPart, MissingCost, MissingReason, RequestCost
from extension.prices.price import STANDARD, PriceSource, Quote
from extension.prices.rate_json import amount_text
from extension.prices.sums import UNKNOWN, usd_text
from extension.prices.units import TOKEN_UNITS, Unit

_SOURCES: Final[Mapping[PriceSource, str]] = MappingProxyType(
    {
        PriceSource.OVERRIDE: "your own price",
        PriceSource.SYNCED: "a price you took over from a public list",
        PriceSource.BUILT_IN: "the built-in price list",
        PriceSource.LITELLM: "the LiteLLM price list",
        PriceSource.MODELS_DEV: "the models.dev price list",
    }
)
_REASONS: Final[Mapping[MissingReason, str]] = MappingProxyType(
    {
        MissingReason.NO_PRICE: "no price list has the model",
        MissingReason.NO_SERVICE_TIER: "no price for the service tier of the request",
        MissingReason.NO_RATE: "the price has no rate for them",
        MissingReason.UNCLASSIFIED: "the record does not say which kind they are",
        MissingReason.INCONSISTENT: "the counts of the record contradict its total",
        MissingReason.NOT_REPORTED: "the gateway reports no tokens of the request",
    }
)


def explained(cost: RequestCost) -> tuple[str, ...]:
    """Explain a cost line by line: the sum, the origin of the rates, each part, and each count without a cost."""
    return tuple(_lines(cost))


def _lines(cost: RequestCost) -> Iterator[str]:
    yield f"Total: {UNKNOWN}" if cost.pico is None else f"Total: {usd_text(cost.pico, partial=cost.partial)}"
    if cost.quote is not None and cost.parts:
        yield _origin(cost.quote)
    for part in cost.parts:
        yield _part(part)
    for missing in cost.missing:
        yield _missing(missing)


def _origin(quote: Quote) -> str:
    tier = "" if quote.service_tier == STANDARD else f", service tier {quote.service_tier}"
    since = f", valid from {quote.valid_from.isoformat()}" if quote.valid_from else ""
    name = f"{quote.provider}/{quote.model}" if quote.provider else quote.model
    assumed = " The provider is in no list, so this is the price of the model's maker." if quote.assumed else ""
    return f"Rates: {_SOURCES[quote.source]}, {name}{tier}{since}.{assumed}"


def _part(part: CostPart) -> str:
    of_other = "" if part.rate_of is part.unit else f" (rate of {part.rate_of.value})"
    above = "" if part.above is None else f" above {part.above:,} input tokens"
    per = "" if part.per == 1 else f" per {part.per:,}"
    return (
        f"{_count(part.unit, part.count)} at ${amount_text(part.amount)}{per}{above}{of_other}: {usd_text(part.pico)}"
    )


def _missing(missing: MissingCost) -> str:
    return f"{_count(missing.unit, missing.count)}: {UNKNOWN}, {_REASONS[missing.reason]}"


def _count(unit: Unit | None, count: int) -> str:
    if unit is None:
        return f"{count:,} tokens"
    return f"{count:,} {unit.value}{' tokens' if unit in TOKEN_UNITS else ''}"
