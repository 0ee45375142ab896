"""The answer to "why this number": the prices and counts that a cost is made of."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from extension.engine.pool.listing import PoolListing
from extension.engine.prices.prices import book_of
from extension.prices.cost import GroupCost, PriceUse, UnpricedUse, parts_of, summed, thresholds, unpriced_reason
from extension.prices.hidden_parts import hidden_costs
from extension.prices.price import Quote
from extension.prices.price_book import PriceBook, Priced
from extension.prices.rates import Unit
from extension.store import prices
from extension.store.database.database import Database, Transaction
from extension.store.usage import collection
from extension.store.usage.costs import Counted, PricedCounts, UnpricedCounts
from extension.store.usage.filtering import NamedFilter
from extension.store.usage.names import NO_VERSION, price_terms
from extension.store.usage.records import UsageFilter
from extension.usage.calendar import Period

_MOST_PRICES: Final = 50
_MOST_UNPRICED: Final = 50


class CostExplanation:
    """Explains the costs of one pool from its stored events."""

    def __init__(self, database: Database, listing: PoolListing) -> None:
        self._database = database
        self._listing = listing

    async def explain(self, usage_filter: UsageFilter, period: Period | None, seq: int | None) -> GroupCost:
        """Explain the cost of the events of a period that pass a filter, or of the one event with a number."""
        pool_id = self._listing.pool_id

        def look(transaction: Transaction) -> GroupCost:
            named = NamedFilter(transaction, pool_id, usage_filter)
            state = collection.state(transaction, pool_id)
            counted = Counted(transaction, named, period, seq)
            return _explained(transaction, counted, 0 if state is None else state.pruned_before)

        return await self._database.read(look)


def _explained(transaction: Transaction, counted: Counted, pruned_before: int) -> GroupCost:
    versions = counted.versions()
    terms = price_terms(transaction, versions[:_MOST_PRICES])
    uses = [use for number in versions[:_MOST_PRICES] for use in _uses(counted, number, terms)]
    book = book_of(prices.all_prices(transaction))
    return GroupCost(
        tuple(sorted(uses, key=lambda use: -use.pico)),
        tuple(_unpriced(book, counts) for counts in counted.unpriced(_MOST_UNPRICED)),
        max(0, len(versions) - _MOST_PRICES),
        pruned_before,
    )


def _uses(counted: Counted, number: int, terms: dict[int, tuple[str, str]]) -> Iterator[PriceUse]:
    if number == NO_VERSION:
        for row in counted.priced(number, ()):
            yield _use("", None, (), row)
        return
    version, text = terms[number]
    quote = Quote.from_terms(json.loads(text))
    bounds = thresholds(quote)
    for row in counted.priced(number, bounds):
        yield _use(version, quote, bounds, row)


def _use(version: str, quote: Quote | None, bounds: tuple[int, ...], row: PricedCounts) -> PriceUse:
    above = bounds[row.band - 1] if row.band else None
    units = {Unit.REQUESTS: row.successes, Unit.SEARCHES: row.searches}
    parts = () if quote is None else parts_of(quote, above, row.buckets, units)
    hidden = () if quote is None else tuple(hidden_costs(quote, summed(row.buckets), row.hidden))
    unclassified = max(0, row.total - sum(row.buckets.values()))
    return PriceUse(version, quote, above, row.requests, row.incomplete, row.pico_usd, parts, unclassified, hidden)


def _unpriced(book: PriceBook, counts: UnpricedCounts) -> UnpricedUse:
    at = datetime.fromtimestamp(counts.last_at / 1000, UTC)
    quote = book.quote(Priced(counts.provider, counts.model, at, counts.tier, counts.alias))
    reason, priced_now = unpriced_reason(quote, counts.quality, counts.total)
    return UnpricedUse(
        counts.provider, counts.model, counts.tier, counts.requests, counts.total, reason, priced_now=priced_now
    )
