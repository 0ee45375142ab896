"""Differences between lists of prices: models that two lists price, with the units they disagree on."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

from extension.prices.cost import MissingReason
from extension.prices.lists.public_list import PublicList
from extension.prices.price import STANDARD, ModelPrice, Quote
from extension.prices.price_book import PriceBook, Priced
from extension.prices.rates import Rate, Rates, Unit
from extension.usage.provider_name import provider_name


@dataclass(frozen=True, slots=True)
class UnitDifference:
    """One unit in two lists; None where a list has no rate of its own for it."""

    unit: Unit
    ours: Rate | None
    theirs: Rate | None

    @property
    def factor(self) -> Decimal | None:
        """Their amount as a multiple of ours; None where either is missing or ours is 0."""
        if self.ours is None or self.theirs is None or not self.ours.amount:
            return None
        exact = Fraction(self.theirs.amount) / self.theirs.per / (Fraction(self.ours.amount) / self.ours.per)
        return Decimal(exact.numerator) / Decimal(exact.denominator)


@dataclass(frozen=True, slots=True)
class ModelDifference:
    """A model that a public list prices: our quote of now, theirs, and the units they disagree on.

    Without `ours` the model has no price here yet.
    """

    provider: str
    model: str
    ours: Quote | None
    theirs: Quote
    units: tuple[UnitDifference, ...]


def differences(
    book: PriceBook, public: PublicList, at: datetime, models: Iterable[str] = ()
) -> Iterator[ModelDifference]:
    """Yield the prices of a public list that differ from the book's or are new to it; `models` chooses by name."""
    names = {name.strip().lower() for name in models}
    for (provider, model), price in public.prices.items():
        if names and model not in names and f"{provider}/{model}" not in names:
            continue
        difference = _compared(book, price, at)
        if difference is not None:
            yield difference


def priced_by_both(book: PriceBook, public: PublicList, at: datetime) -> int:
    """Count the models that both price."""
    return sum(_ours(book, price, at) is not None for price in public.prices.values())


def _compared(book: PriceBook, price: ModelPrice, at: datetime) -> ModelDifference | None:
    theirs = price.quote(at, STANDARD)
    if theirs is None:
        return None
    ours = _ours(book, price, at)
    units = tuple(_units(ours.rates if ours else {}, theirs.rates))
    if ours is not None and not units:
        return None
    return ModelDifference(provider_name(price.provider), price.model, ours, theirs, units)


def _ours(book: PriceBook, price: ModelPrice, at: datetime) -> Quote | None:
    quote = book.quote(Priced(price.provider, price.model, at))
    return None if isinstance(quote, MissingReason) or quote.assumed else quote


def _units(ours: Rates, theirs: Rates) -> Iterator[UnitDifference]:
    """Compare the units that their list names; a rate that only we have is no disagreement."""
    for unit in Unit:
        mine, other = ours.get(unit), theirs.get(unit)
        if other is not None and (mine is None or not _equal(mine, other)):
            yield UnitDifference(unit, mine, other)


def _equal(ours: Rate, other: Rate) -> bool:
    return _single(ours) == _single(other) and [(t.above, Fraction(t.amount) / ours.per) for t in ours.thresholds] == [
        (t.above, Fraction(t.amount) / other.per) for t in other.thresholds
    ]


def _single(rate: Rate) -> Fraction:
    return Fraction(rate.amount) / rate.per
