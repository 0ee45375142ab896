"""`poolkeeper/inspections/results`: the results of a run, page by page."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from extension.api.paths import Paths
from extension.api.payloads.payload import Cursor, Payload, QueriedId
from extension.api.payloads.runs.result import ResultsAnswer, ResultView
from extension.api.services import Served


class ResultsQuery(Payload):
    """Results of a run that landed after the cursor `after`, at most `limit`."""

    run: QueriedId
    after: Cursor = 0
    limit: Annotated[int, Field(ge=1, le=2000)] = 500


def routes(paths: Paths) -> APIRouter:
    """Make the routes of this resource."""
    router = APIRouter(tags=["inspections"])
    router.add_api_route(paths.results, read_results, methods=["GET"], response_model=ResultsAnswer)
    return router


async def read_results(query: Annotated[ResultsQuery, Query()], services: Served) -> ResultsAnswer:
    """Answer results in the order they landed."""
    results = await services.inspector.history.results(query.run, query.after, query.limit)
    return ResultsAnswer(
        results=tuple(ResultView.of(result) for result in results), next=results[-1].seq if results else query.after
    )
