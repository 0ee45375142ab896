"""The rule for exact costs: every part that a price has a rate for was shown by the record, split from the others.

A part that a record cannot show is counted with another one, at that one's rate, or not at all. The cost is a lower
bound then. Cache reads are cheaper than the input they hide in; `lowest` makes that a lower bound, too.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from extension.prices.price import PriceSource, Quote
from extension.prices.rates import Unit, rate_for
from extension.usage.event import TokenCounts
from extension.usage.record_form import Part

_HIDING: Final[Mapping[Part, tuple[tuple[Unit, tuple[Unit, ...]], ...]]] = MappingProxyType(
    {
        Part.CACHE_READ: ((Unit.CACHE_READ, (Unit.INPUT,)),),
        Part.CACHE_WRITE: ((Unit.CACHE_WRITE_5M, (Unit.INPUT,)),),
        Part.CACHE_WRITE_1H: ((Unit.CACHE_WRITE_1H, (Unit.CACHE_WRITE_5M,)),),
        Part.AUDIO: ((Unit.AUDIO_IN, (Unit.INPUT, Unit.CACHE_READ)), (Unit.AUDIO_OUT, (Unit.OUTPUT,))),
        Part.IMAGE: ((Unit.IMAGE_IN, (Unit.INPUT, Unit.CACHE_READ)), (Unit.IMAGE_OUT, (Unit.OUTPUT,))),
    }
)
"""Units of a part, and the buckets that count them where a record does not split them."""
LOWERING: Final = Part.CACHE_READ | Part.SEARCHES
"""Parts whose absence makes `lowest` choose other rates."""


def hidden_costs(quote: Quote, tokens: TokenCounts, hidden: Part) -> Iterator[Part]:
    """Yield the hidden parts of a request that may make its cost higher at the rates of a quote."""
    for part in Part:
        if part & hidden and _may_cost(quote, tokens, part):
            yield part


def lowest(quote: Quote, hidden: Part) -> Quote:
    """Return the quote at the lowest rates that a request may have had.

    The input is rated as cache reads where a record does not split these. A list's fee for a request of a model that
    searches is the highest of several: it grows with what the search brought in.
    """
    rates = dict(quote.rates)
    cached = rates.get(Unit.CACHE_READ)
    if Part.CACHE_READ in hidden and cached is not None:
        rates[Unit.INPUT] = cached
    if Part.SEARCHES in hidden and quote.source is not PriceSource.OVERRIDE:
        rates.pop(Unit.REQUESTS, None)
    return replace(quote, rates=rates)


def _may_cost(quote: Quote, tokens: TokenCounts, part: Part) -> bool:
    if part is Part.END:
        return bool(tokens.total)
    if part is Part.TIER:
        return quote.tiered
    listed = quote.source is not PriceSource.OVERRIDE  # a person names all that is used
    if part is Part.IMAGE_TOOL:
        return listed
    if part is Part.SEARCHES:
        rate = quote.rates.get(Unit.SEARCHES)
        return listed if rate is None else rate.amount > 0
    if listed and (part.name or "").lower() in quote.model:
        return bool(tokens.total)  # an audio or image model may have that part, whether a list has a rate for it or not
    return any(
        getattr(tokens, bucket.value) and _differs(quote, unit) for unit, buckets in _HIDING[part] for bucket in buckets
    )


def _differs(quote: Quote, unit: Unit) -> bool:
    own = quote.rates.get(unit)
    if own is None:
        # A list without a rate for an hour has one for five minutes at most; a person's word is for both.
        return unit is Unit.CACHE_WRITE_1H and quote.source is not PriceSource.OVERRIDE
    usual = rate_for({name: rate for name, rate in quote.rates.items() if name is not unit}, unit)
    return unit is Unit.CACHE_READ or usual is None or usual[1] != own
