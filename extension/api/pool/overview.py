"""`poolkeeper/pool/overview`: health of the pool in figures."""

from typing import Annotated, Final

from fastapi import APIRouter, Query
from pydantic import Field

from extension.api.paths import Paths
from extension.api.payloads.overview import OverviewAnswer
from extension.api.payloads.payload import Payload
from extension.api.services import Served

_DAY_MS: Final = 24 * 3_600_000
_LATEST: Final = 253_402_300_800_000


class OverviewQuery(Payload):
    """Time (ms UTC) from which on actions of automation are counted: the last 24 hours unless given."""

    since: Annotated[int, Field(ge=0, le=_LATEST)] | None = None


def routes(paths: Paths) -> APIRouter:
    """Make the routes of this resource."""
    router = APIRouter(tags=["pool"])
    router.add_api_route(paths.part("pool/overview"), read_overview, methods=["GET"], response_model=OverviewAnswer)
    return router


async def read_overview(query: Annotated[OverviewQuery, Query()], services: Served) -> OverviewAnswer:
    """Read the pool from the gateway now and answer its health in figures.

    Each count is the number of accounts, actions or results that the other resources answer with the same filter.
    """
    inspector = services.inspector
    since = max(0, services.clock.now_ms() - _DAY_MS) if query.since is None else query.since
    report = await inspector.health.read(since)
    return OverviewAnswer.of(report, since, await inspector.schedules.all())
