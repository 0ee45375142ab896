"""The list that is shipped with the service: the package genai-prices (MIT), so that cost needs no network."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache, lru_cache
from importlib.metadata import version
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from extension.prices.price import ALWAYS, STANDARD, ModelPrice, PriceSource, PriceVersion, Validity
from extension.prices.rates import MILLION, Rate, Rates, Threshold, Unit

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, Provider

_PACKAGE: Final = "genai-prices"
_CACHED: Final = 4_096
_BINARY: Final = 12

_KEYS: Final[Mapping[str, tuple[Unit, int]]] = MappingProxyType(
    {
        "input_mtok": (Unit.INPUT, MILLION),
        "cache_read_mtok": (Unit.CACHE_READ, MILLION),
        "cache_write_mtok": (Unit.CACHE_WRITE_5M, MILLION),
        "cache_write_5m_mtok": (Unit.CACHE_WRITE_5M, MILLION),
        "cache_write_1h_mtok": (Unit.CACHE_WRITE_1H, MILLION),
        "output_mtok": (Unit.OUTPUT, MILLION),
        "output_reasoning_mtok": (Unit.REASONING, MILLION),
        "input_audio_mtok": (Unit.AUDIO_IN, MILLION),
        "output_audio_mtok": (Unit.AUDIO_OUT, MILLION),
        "input_image_mtok": (Unit.IMAGE_IN, MILLION),
        "output_image_mtok": (Unit.IMAGE_OUT, MILLION),
        "requests_kcount": (Unit.REQUESTS, 1_000),
        "web_searches_kcount": (Unit.SEARCHES, 1_000),
        "audio_hours": (Unit.SECONDS, 3_600),
    }
)
_TIER_KEYS: Final = ("processing", "service_tier", "speed")


class BuiltInList:
    """The shipped list; the package is imported on first use, because it takes a second and 50 MB."""

    @property
    def version(self) -> str:
        """Version of the shipped list."""
        return version(_PACKAGE)

    def find(self, provider: str, model: str) -> Sequence[ModelPrice]:
        """See `PriceList`."""
        return _found(provider, model)

    def by_maker(self, model: str) -> Sequence[ModelPrice]:
        """See `PriceList`."""
        return _found_by_maker(model)

    def containing(self, text: str) -> Iterator[ModelPrice]:
        """Yield the prices of the models with `provider/model` containing a text in small letters; "" yields all."""
        for provider in _providers().values():
            for model in provider.models:
                if text in f"{provider.id}/{model.id}".lower():
                    yield _price(provider.id, model)


@cache
def _providers() -> "Mapping[str, Provider]":
    from genai_prices.data import providers

    return {provider.id: provider for provider in providers}


@lru_cache(_CACHED)
def _found(provider: str, model: str) -> Sequence[ModelPrice]:
    """Match a model once: every request of it asks again."""
    providers = _providers()
    listed = providers.get(provider)
    if listed is None:
        return ()
    listed_model = listed.find_model(model, all_providers=list(providers.values()))
    return () if listed_model is None else (_price(provider, listed_model),)


@lru_cache(_CACHED)
def _found_by_maker(model: str) -> Sequence[ModelPrice]:
    for provider in _providers().values():
        if provider.model_match is not None and provider.model_match.is_match(model):
            listed_model = provider.find_model(model)
            if listed_model is not None:
                return (_price(provider.id, listed_model),)
    return ()


def _price(provider: str, model: "ModelInfo") -> ModelPrice:
    return ModelPrice(provider, model.id, PriceSource.BUILT_IN, tuple(_versions(model)))


def _versions(model: "ModelInfo") -> Iterator[PriceVersion]:
    from genai_prices.types import ModelPrice as ListedPrice

    if isinstance(model.prices, ListedPrice):
        yield PriceVersion(_rates(model.prices))
    else:
        for place, conditional in enumerate(model.prices):
            # The list's own rule: where no condition is met, the first price applies.
            valid = ALWAYS if place == 0 else _validity(conditional.constraint)
            yield PriceVersion(_rates(conditional.prices), valid)
    for variant in reversed(model.price_variants or ()):
        # Reversed: in the list the first variant wins, here the last version.
        tier = next((variant.when[key] for key in _TIER_KEYS if key in variant.when), None)
        rates = _rates(variant.prices)
        if tier is not None and len(variant.when) == 1 and tier not in {"default", STANDARD} and rates:
            yield PriceVersion(rates, _validity(variant.constraint), tier)


def _rates(listed: Any) -> Rates:
    """Translate rates; a unit that no record of a gateway counts is left out."""
    rates = {}
    for key, (unit, per) in _KEYS.items():
        value = getattr(listed, key, None)
        if value is not None:
            rates[unit] = _rate(value, per)
    return rates


def _rate(value: Any, per: int) -> Rate:
    if isinstance(value, Decimal):
        return Rate(_plain(value), per)
    thresholds = tuple(Threshold(tier.start, _plain(tier.price)) for tier in value.tiers if tier.start)
    return Rate(_plain(value.base), per, thresholds)


def _plain(amount: Decimal) -> Decimal:
    """Undo the binary fractions that some amounts of the list carry: 0.27999999999999997 is 0.28."""
    exponent = amount.as_tuple().exponent
    return round(amount, _BINARY) if isinstance(exponent, int) and -exponent > _BINARY else amount


def _validity(constraint: Any) -> Validity:
    if constraint is None:
        return ALWAYS
    start = getattr(constraint, "start_date", None)
    if start is not None:
        return Validity(start)
    return Validity(hours=(_utc(constraint.start_time), _utc(constraint.end_time)))


def _utc(moment: Any) -> Any:
    if moment.tzinfo is None:
        return moment
    return datetime.combine(date(2000, 1, 1), moment).astimezone(UTC).time()
