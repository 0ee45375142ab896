"""Public lists of prices, fetched from outside: judged line by line, because a stranger wrote them."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from extension.prices.price import STANDARD, ModelPrice, PriceSource, PriceVersion
from extension.prices.rates import MILLION, PER, Rate, RateInvalid, Rates, Threshold, Unit, valid_amount
from extension.usage.provider_name import provider_name

FEWEST: Final = 10
"""A list with fewer priced models is taken for an error page or a foreign document."""
MOST: Final = 50_000


class ListInvalid(ValueError):  # noqa: N818 - it names the problem
    """A document that is no list of prices; `priced` counts its models with a price, None where it has no models."""

    def __init__(self, priced: int | None = None) -> None:
        super().__init__("The document is no list of prices.")
        self.priced = priced


@dataclass(frozen=True, slots=True)
class PublicList:
    """Prices of a fetched list by provider and model; `rejected` counts entries whose amounts are no prices."""

    source: PriceSource
    prices: Mapping[tuple[str, str], ModelPrice] = field(repr=False)
    rejected: int = 0

    def find(self, provider: str, model: str) -> Sequence[ModelPrice]:
        """See `PriceList`."""
        price = self.prices.get((provider, model))
        return () if price is None else (price,)

    def by_maker(self, model: str) -> Sequence[ModelPrice]:  # noqa: ARG002 - the protocol's parameter
        """See `PriceList`; a second opinion guesses no provider."""
        return ()


Reading = Callable[[Any], PublicList]
"""Reads a decoded JSON document; raises `ListInvalid`."""


def collected(source: PriceSource, prices: Sequence[ModelPrice], rejected: int) -> PublicList:
    """Put read prices together; the first of a name counts. `ListInvalid` says that they are too few or too many."""
    if not FEWEST <= len(prices) <= MOST:
        raise ListInvalid(len(prices))
    by_name: dict[tuple[str, str], ModelPrice] = {}
    for price in prices:
        by_name.setdefault((provider_name(price.provider), price.model.lower()), price)
    return PublicList(source, MappingProxyType(by_name), rejected)


def amount(value: object) -> Decimal | None:
    """Read an amount of JSON; None for anything but a number. The text of the number is exact."""
    if isinstance(value, Decimal):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Decimal(value)
    return None


_LITELLM_UNITS: Final[Mapping[str, Unit]] = MappingProxyType(
    {
        "input_cost_per_token": Unit.INPUT,
        "cache_read_input_token_cost": Unit.CACHE_READ,
        "cache_creation_input_token_cost": Unit.CACHE_WRITE_5M,
        "cache_creation_input_token_cost_above_1hr": Unit.CACHE_WRITE_1H,
        "output_cost_per_token": Unit.OUTPUT,
        "output_cost_per_reasoning_token": Unit.REASONING,
        "input_cost_per_audio_token": Unit.AUDIO_IN,
        "output_cost_per_audio_token": Unit.AUDIO_OUT,
        "input_cost_per_image_token": Unit.IMAGE_IN,
        "output_cost_per_image_token": Unit.IMAGE_OUT,
        "input_cost_per_request": Unit.REQUESTS,
        "output_cost_per_image": Unit.IMAGES,
        "input_cost_per_second": Unit.SECONDS,
    }
)
_TIERS: Final = MappingProxyType({"": STANDARD, "_batches": "batch", "_priority": "priority", "_flex": "flex"})
_LITELLM_ABOVE: Final = re.compile(r"_above_(\d+)k_tokens$")
_NO_MODELS: Final = frozenset({"sample_spec", "fallback_generalizations"})


def read_litellm(document: Any) -> PublicList:
    """Read the list from its decoded JSON, whose numbers are `Decimal`, or raise `ListInvalid`."""
    if not isinstance(document, dict):
        raise ListInvalid
    prices, rejected = [], 0
    for name, entry in document.items():
        if name in _NO_MODELS or not isinstance(entry, dict):
            continue
        try:
            versions = tuple(_versions(entry))
        except RateInvalid:
            rejected += 1
            continue
        provider = entry.get("litellm_provider")
        if versions and isinstance(provider, str):
            prices.append(ModelPrice(provider, _model(name, provider), PriceSource.LITELLM, versions))
    return collected(PriceSource.LITELLM, prices, rejected)


def _model(name: str, provider: str) -> str:
    """Take the provider out of the name, which many entries repeat: `xai/grok-4`."""
    head, _, rest = name.partition("/")
    return rest if rest and head.lower() == provider.lower() else name


def _versions(entry: Mapping[str, Any]) -> Iterator[PriceVersion]:
    for suffix, tier in _TIERS.items():
        rates = _litellm_rates(entry, suffix)
        if rates:
            yield PriceVersion(rates, service_tier=tier)


def _litellm_rates(entry: Mapping[str, Any], suffix: str) -> Rates:
    rates = {}
    for key, unit in _LITELLM_UNITS.items():
        price_of = _quoted(amount(entry.get(f"{key}{suffix}")), unit)
        if price_of is not None:
            rates[unit] = Rate(price_of, PER[unit], tuple(_thresholds(entry, key, suffix, unit)))
    return rates


def _thresholds(entry: Mapping[str, Any], key: str, suffix: str, unit: Unit) -> Iterator[Threshold]:
    amount_of_unit = {}
    for name, value in entry.items():
        bare = name.removesuffix(suffix) if suffix else name
        match = _LITELLM_ABOVE.search(bare)
        above = _quoted(amount(value), unit)
        if match and bare[: match.start()] == key and above is not None:
            amount_of_unit[int(match[1]) * 1_000] = above
    for tokens in sorted(amount_of_unit):
        yield Threshold(tokens, amount_of_unit[tokens])


def _quoted(value: Decimal | None, unit: Unit) -> Decimal | None:
    """Convert an amount for one unit to the count that we quote it for."""
    if value is None or PER[unit] != MILLION:
        return value
    return (valid_amount(value) * MILLION).normalize()


_MODELS_DEV_UNITS: Final[Mapping[str, Unit]] = MappingProxyType(
    {
        "input": Unit.INPUT,
        "cache_read": Unit.CACHE_READ,
        "cache_write": Unit.CACHE_WRITE_5M,
        "output": Unit.OUTPUT,
        "reasoning": Unit.REASONING,
        "input_audio": Unit.AUDIO_IN,
        "output_audio": Unit.AUDIO_OUT,
    }
)
_MODELS_DEV_ABOVE: Final = "context_over_200k"
_ABOVE_TOKENS: Final = 200_000


def read_models_dev(document: Any) -> PublicList:
    """Read the list from its decoded JSON, whose numbers are `Decimal`, or raise `ListInvalid`."""
    if not isinstance(document, dict):
        raise ListInvalid
    prices, rejected = [], 0
    for provider, model, cost in _costs(document):
        try:
            rates = _models_dev_rates(cost)
        except RateInvalid:
            rejected += 1
            continue
        if rates:
            prices.append(ModelPrice(provider, model, PriceSource.MODELS_DEV, (PriceVersion(rates),)))
    return collected(PriceSource.MODELS_DEV, prices, rejected)


def _costs(document: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for provider, entry in document.items():
        models = entry.get("models") if isinstance(entry, dict) else None
        for name, model in models.items() if isinstance(models, dict) else ():
            cost = model.get("cost") if isinstance(model, dict) else None
            if isinstance(cost, dict):
                yield provider, name, cost


def _models_dev_rates(cost: Mapping[str, Any]) -> Rates:
    long = cost.get(_MODELS_DEV_ABOVE)
    rates = {}
    for key, unit in _MODELS_DEV_UNITS.items():
        base = amount(cost.get(key))
        above = amount(long.get(key)) if isinstance(long, dict) else None
        if base is not None:
            rates[unit] = Rate(base, MILLION, (Threshold(_ABOVE_TOKENS, above),) if above is not None else ())
    return rates
