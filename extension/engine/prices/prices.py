"""Prices."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import chain
from typing import Any, Final

from adapter.clock import Clock
from extension.engine.prices.errors import PreviewOutdated, PriceInvalid, PriceUnknown
from extension.engine.prices.public_list_client import FetchedList, PublicListClient
from extension.prices.differences import ModelDifference, differences, priced_by_both
from extension.prices.event_rating import EventRating
from extension.prices.lists.built_in import BuiltInList
from extension.prices.price import STANDARD, ModelPrice, Override, OverrideList, PriceSource, Quote
from extension.prices.price_book import PriceBook, Priced
from extension.prices.rates import RateInvalid, rates_as_json, rates_from_json
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import Reason, term
from extension.store import events, prices
from extension.store.database.database import Database, Transaction
from extension.store.prices import NewPrice, PriceRecord
from extension.store.records import EventKind
from extension.store.usage.events import used_as
from extension.usage.event import EventCost, UsageEvent
from extension.usage.provider_name import provider_name

BUILT_IN = BuiltInList()
TIERS: Final = ("batch", "flex", "priority", "fast")
"""Service tiers and speeds that lists have prices for."""


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
        revision = prices.revision(transaction)
        known = self._known
        if revision != known[0]:
            known = self._known = (revision, EventRating(book_of(prices.all_prices(transaction))))
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


_LAST: Final = 2**63
"""Id of a price that is not stored yet: later than every other."""


@dataclass(frozen=True, slots=True)
class PriceOrder:
    """A price that a person sets; `rates` are JSON values."""

    model: str
    rates: Mapping[str, Any]
    provider: str = ""
    service_tier: str = STANDARD
    valid_from: date | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class SyncPreview:
    """Comparison with a public list: models that both price, those that differ, and how many only the list has."""

    fetched: FetchedList
    compared: int
    differing: tuple[ModelDifference, ...]
    new: tuple[ModelDifference, ...]


class Prices:
    """Prices of one installation."""

    def __init__(self, database: Database, clock: Clock, lists: PublicListClient) -> None:
        self._database = database
        self._clock = clock
        self._lists = lists
        self.built_in = BUILT_IN

    async def stored(self) -> tuple[PriceRecord, ...]:
        """Return the stored prices, the oldest first."""
        return await self._database.read(prices.all_prices)

    async def book(self) -> PriceBook:
        """Return the price book in force."""
        return book_of(await self.stored())

    async def set(self, order: PriceOrder, actor: str) -> PriceRecord:
        """Store a price set by a person; it replaces the one of the same model, provider, tier and date.

        Raises `PriceInvalid`: a rate is no price.
        """
        rates: dict[str, Any] = {}
        for unit, rate in order.rates.items():
            try:
                rates |= rates_as_json(rates_from_json({unit: rate}))
            except RateInvalid as error:
                raise PriceInvalid(error.reason, f"rates.{unit}") from None
        if not rates:
            raise PriceInvalid(Reason(ReasonCode.PRICE_EMPTY), "rates")
        new = self._new(order, rates, PriceSource.OVERRIDE, actor)

        def store(transaction: Transaction) -> PriceRecord:
            self._tell(transaction)
            return prices.put_price(transaction, new)

        return await self._database.write(store)

    async def remove(self, price_id: int) -> None:
        """Forget a stored price. Raises `PriceUnknown`."""

        def forget(transaction: Transaction) -> bool:
            is_removed = prices.remove_price(transaction, price_id)
            if is_removed:
                self._tell(transaction)
            return is_removed

        if not await self._database.write(forget):
            raise PriceUnknown(price_id)

    async def search(self, text: str, limit: int, *, tiers: bool = False) -> Sequence[Quote]:
        """Quote the models whose name contains a text, and the one that a record with this name is rated as.

        Prices are those in force, of stored prices and the built-in list; with `tiers` those of every service tier.
        """
        stored, at = await self.stored(), self._now()
        used = await self._database.read(used_as, text.strip())
        return await asyncio.to_thread(self._found, stored, used, at, text.strip().lower(), limit, tiers=tiers)

    async def public(self, source: PriceSource) -> FetchedList:
        """Fetch a public list. Raises `ListUnavailable`."""
        return await self._lists.fetch(source, self._clock.now_ms())

    async def preview(self, source: PriceSource, models: Sequence[str] = ()) -> SyncPreview:
        """Compare the prices in force with a public list; nothing is stored. Raises `ListUnavailable`."""
        fetched, book, at = await self.public(source), await self.book(), self._now()
        return await asyncio.to_thread(_compared, fetched, book, at, models)

    async def apply(
        self, source: PriceSource, revision: str, models: Sequence[str], valid_from: date, actor: str
    ) -> tuple[PriceRecord, ...]:
        """Take over prices of a public list: those of `models`, or all that differ when none is named.

        Raises `ListUnavailable`: it could not be fetched; `PreviewOutdated`: the list is not the one of the preview.
        """
        preview = await self.preview(source, models)
        if preview.fetched.revision != revision:
            raise PreviewOutdated
        orders = [(_order(difference, valid_from, source), difference) for difference in _chosen(preview, models)]

        def store(transaction: Transaction) -> tuple[PriceRecord, ...]:
            self._tell(transaction)
            return tuple(
                prices.put_price(
                    transaction, self._new(order, rates_as_json(difference.theirs.rates), PriceSource.SYNCED, actor)
                )
                for order, difference in orders
            )

        return await self._database.write(store)

    async def rating_with(self, preview: SyncPreview, models: Sequence[str], valid_from: date) -> EventRating:
        """Return the rating as it would be after taking over the prices of a preview."""
        taken = [
            Override(
                difference.model,
                difference.theirs.rates,
                difference.provider,
                valid_from,
                source=PriceSource.SYNCED,
                id=_LAST,
            )
            for difference in _chosen(preview, models)
        ]
        return EventRating(book_of(await self.stored(), taken))

    def _found(
        self,
        stored: Iterable[PriceRecord],
        used: Iterable[tuple[str, str, str]],
        at: datetime,
        text: str,
        limit: int,
        *,
        tiers: bool,
    ) -> Sequence[Quote]:
        book = book_of(stored)
        provider, _, model = text.rpartition("/")
        first, _, rest = text.partition("/")
        listed = f"{provider_name(first)}/{rest}" if rest else text
        own = [
            (row.provider, row.model, "")
            for row in stored
            if text in f"{row.provider}/{row.model}" or listed in f"{provider_name(row.provider)}/{row.model}"
        ]
        names = [*own, ("", text, ""), (provider, model, ""), (first, rest, ""), *used]
        quotes: dict[tuple[str, str, str], Quote] = {}
        prices_of_list = chain(self.built_in.containing(listed), self._of_provider(text))
        for maker, name, alias in chain(names, ((price.provider, price.model, "") for price in prices_of_list)):
            for tier in (STANDARD, *TIERS) if tiers else (STANDARD,):
                quote = book.quote(Priced(maker, name, at, tier, alias))
                if isinstance(quote, Quote) and quote.rates:  # a list names models that it has no rate for
                    quotes.setdefault((quote.provider, quote.model, quote.service_tier), quote)
            if len(quotes) >= limit:
                break
        return tuple(quotes.values())[:limit]

    def _of_provider(self, text: str) -> Sequence[ModelPrice]:
        """Return the prices of a provider by another name of it, unless that is in names of its models, too."""
        provider = provider_name(text)
        if provider == text:
            return ()
        listed = [price for price in self.built_in.containing(f"{provider}/") if price.provider == provider]
        return () if any(text in price.model.lower() for price in listed) else listed

    def _new(self, order: PriceOrder, rates: Mapping[str, Any], source: PriceSource, actor: str) -> NewPrice:
        return NewPrice(
            provider=order.provider.strip().lower(),
            model=order.model.strip().lower(),
            service_tier=order.service_tier,
            valid_from=order.valid_from,
            rates=rates,
            source=source.value,
            note=order.note,
            set_by=actor,
            set_at=self._clock.now_ms(),
        )

    def _tell(self, transaction: Transaction) -> None:
        events.append(transaction, self._clock.now_ms(), EventKind.PRICE, None, {})

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now_ms() / 1000, UTC)


def _chosen(preview: SyncPreview, models: Sequence[str]) -> Sequence[ModelDifference]:
    return (*preview.differing, *preview.new) if models else preview.differing


def _compared(fetched: FetchedList, book: PriceBook, at: datetime, models: Sequence[str]) -> SyncPreview:
    every = tuple(differences(book, fetched.prices, at, models))
    return SyncPreview(
        fetched,
        priced_by_both(book, fetched.prices, at),
        tuple(difference for difference in every if difference.ours is not None),
        tuple(difference for difference in every if difference.ours is None),
    )


def _order(difference: ModelDifference, valid_from: date, source: PriceSource) -> PriceOrder:
    return PriceOrder(
        difference.model,
        {},
        provider=difference.provider,
        valid_from=valid_from,
        note=f"from {term('price_list', source)}",
    )
