"""`model-price-proxy`: a public price list, fetched by the server and answered in the form of this service."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from extension.api.paths import Paths
from extension.api.payloads.payload import Payload
from extension.api.payloads.prices import PublicListAnswer
from extension.api.problems import bad_request
from extension.api.services import Served
from extension.prices.price import PriceSource
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import because

_PUBLIC = (PriceSource.LITELLM, PriceSource.MODELS_DEV)
_UNCHANGED = 304


class ListQuery(Payload):
    """The public list to fetch."""

    list: PriceSource


def routes(paths: Paths) -> APIRouter:
    """Make the routes of this resource."""
    router = APIRouter(tags=["prices"])
    router.add_api_route(
        paths.part("model-price-proxy"),
        read_list,
        methods=["GET"],
        response_model=PublicListAnswer,
        responses={_UNCHANGED: {"description": "The list is the one named in If-None-Match."}},
    )
    return router


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
