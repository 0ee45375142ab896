"""`model-prices`, public price lists and aliases of client keys."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import Query, Request, Response
from pydantic import Field

from adapter.privacy.secret import Secret
from extension.api.auth.authenticator import Asking
from extension.api.payloads.payload import Payload, QueriedId
from extension.api.payloads.prices import (
    AliasAnswer,
    AliasesAnswer,
    AliasRequest,
    AliasView,
    Fingerprint,
    PriceAnswer,
    PriceRequest,
    PricesAnswer,
    PublicListAnswer,
    QuoteView,
    StoredPriceView,
    SyncAnswer,
    SyncRequest,
)
from extension.api.problems import bad_request
from extension.api.routes import Routes
from extension.api.services import Served
from extension.prices.price import PriceSource
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import because
from extension.usage.calendar import Period

_PUBLIC = (PriceSource.LITELLM, PriceSource.MODELS_DEV)
_UNCHANGED = 304


class ListQuery(Payload):
    """The public list to fetch."""

    list: PriceSource


route = Routes("prices")


@route(
    "GET",
    "model-price-proxy",
    response_model=PublicListAnswer,
    responses={_UNCHANGED: {"description": "The list is the one named in If-None-Match."}},
)
async def read_list(
    query: Annotated[ListQuery, Query()], request: Request, response: Response, services: Served
) -> PublicListAnswer | Response:
    """Fetch a public list through the gateway's proxy, and answer its standard prices.

    Only the lists known to the service are fetched, and only what was read as a price is passed on. The answer has
    an ETag; If-None-Match with it is 304.
    """
    fetched = await services.prices.public(public_source(query.list))
    tag = f'"{fetched.revision}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("If-None-Match") == tag:
        return Response(status_code=_UNCHANGED, headers=headers)
    response.headers.update(headers)
    return PublicListAnswer.of(fetched)


def public_source(source: PriceSource) -> PriceSource:
    """Return the source if it is a public list.

    Raises:
        Problem: it is none.
    """
    if source not in _PUBLIC:
        hint = f"Use one of {', '.join(_PUBLIC)}."
        raise bad_request(because(ReasonCode.LIST_NOT_PUBLIC, field="list", name=source.value), hint, "list")
    return source


_EVER = 2**60


class PricesQuery(Payload):
    """Name of a model, or a part of it; without one, only stored prices are answered. `tiers` adds other tiers."""

    search: Annotated[str, Field(max_length=200)] = ""
    limit: Annotated[int, Field(ge=1, le=10_000)] = 100
    tiers: bool = False


class PriceQuery(Payload):
    """The stored price a command is for."""

    price: QueriedId


@route("GET", "model-prices")
async def read_prices(query: Annotated[PricesQuery, Query()], services: Served) -> PricesAnswer:
    """Answer the stored prices, and with `search` the prices in force of the models with such a name."""
    prices = services.prices
    quotes = await prices.search(query.search, query.limit, tiers=query.tiers) if query.search.strip() else ()
    return PricesAnswer(
        prices=tuple(StoredPriceView.of(record) for record in await prices.stored()),
        built_in=prices.built_in.version,
        found=tuple(QuoteView.of(quote) for quote in quotes),
    )


@route("PUT", "model-prices")
async def set_price(body: PriceRequest, services: Served, asking: Asking) -> PriceAnswer:
    """Set a price; it replaces the one of the same model, provider, service tier and date.

    Stored costs stay as they are until they are rated again.
    """
    return PriceAnswer(price=StoredPriceView.of(await services.prices.set(body.order(), asking.actor)))


@route("DELETE", "model-prices", status_code=204)
async def remove_price(query: Annotated[PriceQuery, Query()], services: Served) -> None:
    """Forget a stored price; the built-in list applies again."""
    await services.prices.remove(query.price)


@route("POST", "model-prices/sync")
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


class AliasQuery(Payload):
    """The client key a command is for."""

    fingerprint: Fingerprint


@route("GET", "api-key-aliases", tag="aliases")
async def read_aliases(services: Served) -> AliasesAnswer:
    """Answer all aliases."""
    return AliasesAnswer(aliases=tuple(AliasView.showing(record) for record in await services.aliases.every()))


@route("PUT", "api-key-aliases", tag="aliases")
async def set_alias(body: AliasRequest, services: Served, asking: Asking) -> AliasAnswer:
    """Name a client key; its former alias is replaced. An alias of another key is 409 `alias_taken`."""
    fingerprint = body.fingerprint
    if body.key is not None:
        fingerprint = services.aliases.fingerprint(Secret(body.key.get_secret_value()))
    return AliasAnswer(
        alias=AliasView.showing(await services.aliases.put(fingerprint or "", body.alias.strip(), asking.actor))
    )


@route("DELETE", "api-key-aliases", tag="aliases", status_code=204)
async def remove_alias(query: Annotated[AliasQuery, Query()], services: Served) -> None:
    """Forget the alias of a client key."""
    await services.aliases.remove(query.fingerprint)
