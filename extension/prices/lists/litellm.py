"""The price list of LiteLLM: one JSON object of models, with US dollars for a single token."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from extension.prices.lists.public_list import ListInvalid, PublicList, amount, collected
from extension.prices.price import STANDARD, ModelPrice, PriceSource, PriceVersion
from extension.prices.rates import Rate, RateInvalid, Rates, Threshold, valid_amount
from extension.prices.units import MILLION, PER, Unit

_KEYS: Final[Mapping[str, Unit]] = MappingProxyType(
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
_ABOVE: Final = re.compile(r"_above_(\d+)k_tokens$")
_NO_MODELS: Final = frozenset({"sample_spec", "fallback_generalizations"})


def read_litellm(document: Any) -> PublicList:
    """Read the list from its decoded JSON, whose numbers are `Decimal`.

    Raises:
        ListInvalid: it is not this list.
    """
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
        rates = _rates(entry, suffix)
        if rates:
            yield PriceVersion(rates, service_tier=tier)


def _rates(entry: Mapping[str, Any], suffix: str) -> Rates:
    rates = {}
    for key, unit in _KEYS.items():
        found = _quoted(amount(entry.get(f"{key}{suffix}")), unit)
        if found is not None:
            rates[unit] = Rate(found, PER[unit], tuple(_thresholds(entry, key, suffix, unit)))
    return rates


def _thresholds(entry: Mapping[str, Any], key: str, suffix: str, unit: Unit) -> Iterator[Threshold]:
    found = {}
    for name, value in entry.items():
        bare = name.removesuffix(suffix) if suffix else name
        match = _ABOVE.search(bare)
        above = _quoted(amount(value), unit)
        if match and bare[: match.start()] == key and above is not None:
            found[int(match[1]) * 1_000] = above
    for tokens in sorted(found):
        yield Threshold(tokens, found[tokens])


def _quoted(value: Decimal | None, unit: Unit) -> Decimal | None:
    """Convert an amount for one unit to the count that we quote it for."""
    if value is None or PER[unit] != MILLION:
        return value
    return (valid_amount(value) * MILLION).normalize()
