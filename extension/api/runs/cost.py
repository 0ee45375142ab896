"""`poolkeeper/inspections/cost`: the greatest cost of a run, before it starts."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query

from extension.api.paths import Paths
from extension.api.payloads.payload import MOST_AGE
from extension.api.payloads.runs.cost import CostAnswer
from extension.api.services import Served
from extension.inspection.settings import parse_settings


def routes(paths: Paths) -> APIRouter:
    """Make the routes of this resource."""
    router = APIRouter(tags=["inspections"])
    router.add_api_route(paths.part("inspections/cost"), read_cost, methods=["POST"], response_model=CostAnswer)
    return router


async def read_cost(
    body: Annotated[dict[str, Any], Body()],
    services: Served,
    age: Annotated[float, Query(ge=0, le=MOST_AGE)] = 0.0,
) -> CostAnswer:
    """Answer the most requests and tokens a run with the settings sent can cost; nothing is probed, nothing changes.

    With `age` a reading of the gateway that began as many seconds ago will do. Absent settings have their defaults; an
    unknown or unusable setting is 400 `bad_setting`.
    """
    return CostAnswer.of(await services.inspector.runs.cost(parse_settings(body), age))
