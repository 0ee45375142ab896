"""`poolkeeper/pool/recent`: the last results of some accounts."""

from typing import Annotated, Final

from fastapi import APIRouter, Query
from pydantic import Field

from extension.api.paths import Paths
from extension.api.payloads.payload import Payload, QueriedId
from extension.api.payloads.pool import RecentAccountView, RecentAnswer, RecentView
from extension.api.services import Served

_ACCOUNTS: Final = 200
_RESULTS: Final = 100


class RecentQuery(Payload):
    """Accounts, and how many results of each to answer."""

    account: Annotated[tuple[QueriedId, ...], Field(min_length=1, max_length=_ACCOUNTS)]
    limit: Annotated[int, Field(ge=1, le=_RESULTS)] = 20


def routes(paths: Paths) -> APIRouter:
    """Make the routes of this resource."""
    router = APIRouter(tags=["pool"])
    router.add_api_route(paths.part("pool/recent"), read_recent, methods=["GET"], response_model=RecentAnswer)
    return router


async def read_recent(query: Annotated[RecentQuery, Query()], services: Served) -> RecentAnswer:
    """Answer the last results of accounts in any run, the newest first, without evidence."""
    found = await services.inspector.history.recent_results(query.account, query.limit)
    return RecentAnswer(
        accounts=tuple(
            RecentAccountView(account=account, results=tuple(RecentView.of(result) for result in results))
            for account, results in found.items()
        )
    )
