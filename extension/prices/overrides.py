"""Prices set by people: valid from a date, for one model or for all whose names begin alike."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from extension.prices.model_name import model_name, provider_name
from extension.prices.price import STANDARD, ModelPrice, PriceSource, PriceVersion, Validity
from extension.prices.rates import Rates

ANY: Final = "*"
"""End of a name that stands for every continuation."""


@dataclass(frozen=True, slots=True)
class Override:
    """Price set by a person, or taken over from a public list on a person's command.

    An empty `provider` stands for every provider. Without `valid_from` it has always been valid.
    """

    model: str
    rates: Rates
    provider: str = ""
    valid_from: date | None = None
    service_tier: str = STANDARD
    source: PriceSource = PriceSource.OVERRIDE
    id: int = 0

    def applies_to(self, provider: str, model: str) -> bool:
        """Decide whether the override prices a model of a provider."""
        if self.provider and provider_name(self.provider) != provider:
            return False
        name = model_name(self.model)
        return model.startswith(name.removesuffix(ANY)) if name.endswith(ANY) else model == name

    @property
    def precedence(self) -> tuple[bool, bool, bool, int]:
        """Order of overrides that apply to the same model: people first, then the named provider, the exact name."""
        prefix = self.model.endswith(ANY)
        return (self.source is PriceSource.OVERRIDE, bool(self.provider), not prefix, len(self.model))


class OverrideList:
    """Overrides as a list of prices."""

    def __init__(self, overrides: Iterable[Override]) -> None:
        self._overrides = tuple(overrides)

    def find(self, provider: str, model: str) -> Sequence[ModelPrice]:
        """See `PriceList`; one price for each rank of precedence, with its versions in the order of their dates."""
        ranks: dict[tuple[tuple[bool, bool, bool, int], str, str], list[Override]] = {}
        for override in self._overrides:
            if override.applies_to(provider, model):
                ranks.setdefault((override.precedence, override.provider, override.model), []).append(override)
        return [_price(ranks[rank]) for rank in sorted(ranks, reverse=True)]

    def by_maker(self, model: str) -> Sequence[ModelPrice]:  # noqa: ARG002 - the protocol's parameter
        """See `PriceList`; an override for every provider has been found already."""
        return ()


def _price(same: Sequence[Override]) -> ModelPrice:
    ordered = sorted(same, key=lambda override: (override.valid_from or date.min, override.id))
    versions = (
        PriceVersion(override.rates, Validity(override.valid_from), override.service_tier) for override in ordered
    )
    first = ordered[0]
    return ModelPrice(first.provider, first.model, first.source, tuple(versions))
