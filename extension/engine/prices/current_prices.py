"""Prices in force, as the cost source of the usage writer."""

from collections.abc import Iterable

from extension.prices.event_rating import EventRating
from extension.prices.lists.built_in import BuiltInList
from extension.prices.price import Override, OverrideList, PriceSource
from extension.prices.price_book import PriceBook
from extension.prices.rates import rates_from_json
from extension.store.database.database import Database, Transaction
from extension.store.prices import model_prices
from extension.store.prices.model_prices import PriceRecord
from extension.usage.event import EventCost, UsageEvent

BUILT_IN = BuiltInList()


class CurrentPrices:
    """A `CostSource` of the stored prices and the built-in list. `refresh` it before use.

    Another process may change a price, so each refresh asks the database; it reads the prices where they changed.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        # One attribute, because several threads of the store read and replace it.
        self._known = ((-1, -1), EventRating(book_of(())))

    async def refresh(self) -> None:
        """See `CostSource`."""
        await self._database.read(self.rating)

    def rating(self, transaction: Transaction) -> EventRating:
        """Return the rating by the prices in force within a transaction."""
        revision = model_prices.revision(transaction)
        known = self._known
        if revision != known[0]:
            known = self._known = (revision, EventRating(book_of(model_prices.every(transaction))))
        return known[1]

    def cost(self, event: UsageEvent) -> EventCost | None:
        """See `CostSource`."""
        return self._known[1].cost(event)


def book_of(records: Iterable[PriceRecord], more: Iterable[Override] = ()) -> PriceBook:
    """Return the price book of stored prices, of `more` that are not stored yet, and of the built-in list."""
    return PriceBook([OverrideList([*map(_override, records), *more]), BUILT_IN])


def _override(record: PriceRecord) -> Override:
    return Override(
        model=record.model,
        rates=rates_from_json(record.rates),
        provider=record.provider,
        valid_from=record.valid_from,
        service_tier=record.service_tier,
        source=PriceSource(record.source),
        id=record.id,
    )
