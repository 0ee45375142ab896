"""`poolkeeper/inspections/difference`: changes between two runs."""

from typing import Annotated

from fastapi import APIRouter, Query

from extension.api.paths import Paths
from extension.api.payloads.payload import Payload, QueriedId
from extension.api.payloads.results import DifferenceAnswer
from extension.api.services import Served


class DifferenceQuery(Payload):
    """A run, and the earlier one to compare it with; left out, the last that looked at the same part of the pool."""

    run: QueriedId
    against: QueriedId | None = None


def routes(paths: Paths) -> APIRouter:
    """Make the routes of this resource."""
    router = APIRouter(tags=["inspections"])
    path = paths.part("inspections/difference")
    router.add_api_route(path, read_difference, methods=["GET"], response_model=DifferenceAnswer)
    return router


async def read_difference(query: Annotated[DifferenceQuery, Query()], services: Served) -> DifferenceAnswer:
    """Answer the accounts whose verdict, recommendation or state changed, that are new, or that are gone."""
    return DifferenceAnswer.of(await services.inspector.history.difference(query.run, query.against))
