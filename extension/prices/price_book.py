"""Price book: lists in the order of their precedence, asked for the rates of one request."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from extension.prices.cost import MissingReason
from extension.prices.price import STANDARD, ModelPrice, OverrideList, Quote, model_name, service_tier_of
from extension.usage.event import PLACE
from extension.usage.provider_name import provider_name


class PriceList(Protocol):
    """A list of prices; names are in the form of `extension.prices.price`."""

    def find(self, provider: str, model: str) -> Sequence[ModelPrice]:
        """Return the prices of a model of a provider, the most specific first."""

    def by_maker(self, model: str) -> Sequence[ModelPrice]:
        """Return the prices that the maker of a model asks, for a provider that is in no list."""


@dataclass(frozen=True, slots=True)
class Priced:
    """Everything that decides on the price of a request; `at` is aware. `alias` is the model that was asked for."""

    provider: str
    model: str
    at: datetime
    tier: str = ""
    alias: str = ""

    @property
    def service_tier(self) -> str:
        """The service tier that is billed."""
        return service_tier_of(self.tier.partition(PLACE)[0])

    @property
    def place(self) -> str:
        """The place of the inference, where that has a price; else ""."""
        return self.tier.partition(PLACE)[2].strip().lower()


class PriceBook:
    """Answers prices from lists; the first list that has rates decides, so overrides come first."""

    def __init__(self, lists: Sequence[PriceList]) -> None:
        self._lists = tuple(lists)

    def quote(self, request: Priced) -> Quote | MissingReason:
        """Quote the rates of a request, or answer the reason for their absence."""
        quote = self._quote(request)
        if request.place and isinstance(quote, Quote):
            return quote.at_place(request.place) or MissingReason.NO_SERVICE_TIER
        return quote

    def _quote(self, request: Priced) -> Quote | MissingReason:
        provider, model = provider_name(request.provider), model_name(request.model)
        tier, seen = request.service_tier, False
        for listed in self._lists:
            for price in (*listed.find(provider, model), *_by_alias(listed, provider, request.alias)):
                quote = price.quote(request.at, tier)
                if quote is not None:
                    return quote
                seen = seen or price.quote(request.at, STANDARD) is not None
        if not seen:
            for listed in self._lists:
                for price in listed.by_maker(model):
                    quote = price.quote(request.at, tier)
                    if quote is not None:
                        return replace(quote, assumed=True)
                    seen = seen or price.quote(request.at, STANDARD) is not None
        return MissingReason.NO_SERVICE_TIER if seen else MissingReason.NO_PRICE

    def depends_on_hour(self, provider: str, model: str) -> bool:
        """Decide whether a list's price of a model depends on the hour of the day."""
        of, name = provider_name(provider), model_name(model)
        prices = (price for listed in self._lists for price in (*listed.find(of, name), *listed.by_maker(name)))
        return any(version.valid.hours is not None for price in prices for version in price.versions)


def _by_alias(listed: PriceList, provider: str, alias: str) -> Sequence[ModelPrice]:
    """Return the prices that people have set for an alias; a list's model of that name may be another one."""
    return listed.find(provider, model_name(alias)) if alias and isinstance(listed, OverrideList) else ()
