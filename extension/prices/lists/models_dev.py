"""The price list of models.dev: providers with their models, in US dollars for a million tokens."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from extension.prices.lists.public_list import ListInvalid, PublicList, amount, collected
from extension.prices.price import ModelPrice, PriceSource, PriceVersion
from extension.prices.rates import Rate, RateInvalid, Rates, Threshold
from extension.prices.units import MILLION, Unit

_KEYS: Final[Mapping[str, Unit]] = MappingProxyType(
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
_ABOVE: Final = "context_over_200k"
_ABOVE_TOKENS: Final = 200_000


def read_models_dev(document: Any) -> PublicList:
    """Read the list from its decoded JSON, whose numbers are `Decimal`.

    Raises:
        ListInvalid: it is not this list.
    """
    if not isinstance(document, dict):
        raise ListInvalid
    prices, rejected = [], 0
    for provider, model, cost in _costs(document):
        try:
            rates = _rates(cost)
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


def _rates(cost: Mapping[str, Any]) -> Rates:
    long = cost.get(_ABOVE)
    rates = {}
    for key, unit in _KEYS.items():
        base = amount(cost.get(key))
        above = amount(long.get(key)) if isinstance(long, dict) else None
        if base is not None:
            rates[unit] = Rate(base, MILLION, (Threshold(_ABOVE_TOKENS, above),) if above is not None else ())
    return rates
