"""A list of prices fetched from outside: judged line by line, because a stranger wrote it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from extension.prices.model_name import provider_name
from extension.prices.price import ModelPrice, PriceSource

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
        found = self.prices.get((provider, model))
        return () if found is None else (found,)

    def by_maker(self, model: str) -> Sequence[ModelPrice]:  # noqa: ARG002 - the protocol's parameter
        """See `PriceList`; a second opinion guesses no provider."""
        return ()


Reading = Callable[[Any], PublicList]
"""Reads a decoded JSON document; raises `ListInvalid`."""


def collected(source: PriceSource, prices: Sequence[ModelPrice], rejected: int) -> PublicList:
    """Put read prices together; the first of a name counts.

    Raises:
        ListInvalid: there are too few or too many of them.
    """
    if not FEWEST <= len(prices) <= MOST:
        raise ListInvalid(len(prices))
    found: dict[tuple[str, str], ModelPrice] = {}
    for price in prices:
        found.setdefault((provider_name(price.provider), price.model.lower()), price)
    return PublicList(source, MappingProxyType(found), rejected)


def amount(value: object) -> Decimal | None:
    """Read an amount of JSON; None for anything but a number. The text of the number is exact."""
    if isinstance(value, Decimal):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Decimal(value)
    return None
