"""`model-prices`: prices of one's own and those in force; `model-prices/sync`: comparison with public lists."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from extension.api.auth.authenticator import Asking
from extension.api.paths import Paths
from extension.api.payloads.payload import Payload, QueriedId
from extension.api.payloads.prices import (
    PriceAnswer,
    PriceRequest,
    PricesAnswer,
    QuoteView,
    StoredPriceView,
    SyncAnswer,
    SyncRequest,
)
from extension.api.prices.public_list import public_source
from extension.api.services import Served
from extension.usage.calendar import Period

_EVER = 2**60


class PricesQuery(Payload):
    """Text to search the built-in list for; without one, only stored prices are answered."""

    search: Annotated[str, Field(max_length=200)] = ""
    limit: Annotated[int, Field(ge=1, le=1_000)] = 100


class PriceQuery(Payload):
    """The stored price a command is for."""

    price: QueriedId


def routes(paths: Paths) -> APIRouter:
    """Make the routes of these resources."""
    router = APIRouter(tags=["prices"])
    path = paths.part("model-prices")
    router.add_api_route(path, read_prices, methods=["GET"], response_model=PricesAnswer)
    router.add_api_route(path, set_price, methods=["PUT"], response_model=PriceAnswer)
    router.add_api_route(path, remove_price, methods=["DELETE"], status_code=204)
    router.add_api_route(paths.part("model-prices/sync"), sync, methods=["POST"], response_model=SyncAnswer)
    return router


async def read_prices(query: Annotated[PricesQuery, Query()], services: Served) -> PricesAnswer:
    """Answer the stored prices, and with `search` the prices in force of the models of the built-in list."""
    prices = services.prices
    found = await prices.search(query.search, query.limit) if query.search.strip() else ()
    return PricesAnswer(
        prices=tuple(StoredPriceView.of(record) for record in await prices.stored()),
        built_in=prices.built_in.version,
        found=tuple(QuoteView.of(quote) for quote in found),
    )


async def set_price(body: PriceRequest, services: Served, asking: Asking) -> PriceAnswer:
    """Set a price; it replaces the one of the same model, provider, service tier and date.

    Stored costs stay as they are until they are rated again.
    """
    return PriceAnswer(price=StoredPriceView.of(await services.prices.set(body.order(), asking.actor)))


async def remove_price(query: Annotated[PriceQuery, Query()], services: Served) -> None:
    """Forget a stored price; the built-in list applies again."""
    await services.prices.remove(query.price)


async def sync(body: SyncRequest, services: Served, asking: Asking) -> SyncAnswer:
    """Compare the prices in force with a public list, and with `apply` take prices over.

    A list that has changed since the preview is 409 `preview_outdated`; one that cannot be fetched is 502
    `price_list_unavailable`.
    """
    source = public_source(body.list)
    valid_from = body.valid_from or datetime.fromtimestamp(services.clock.now_ms() / 1000, UTC).date()
    if not body.apply:
        preview = await services.prices.preview(source, body.models)
        rating = await services.prices.rating_with(preview, body.models, valid_from)
        start = round(datetime(valid_from.year, valid_from.month, valid_from.day, tzinfo=UTC).timestamp() * 1000)
        period = Period(max(0, start), _EVER)
        return SyncAnswer.of(preview, (), await services.usage.rerating.preview(period, rating))
    applied = await services.prices.apply(source, body.revision, body.models, valid_from, asking.actor)
    return SyncAnswer.of(await services.prices.preview(source, body.models), applied, None)
