"""`poolkeeper/inspections`: runs, and the commands that start, stop and resume them."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query
from pydantic import Field

from extension.api.auth.authenticator import Asking
from extension.api.paths import Paths
from extension.api.payloads.payload import Payload, QueriedId
from extension.api.payloads.runs.run import RunAnswer, RunsAnswer, RunView
from extension.api.services import Served
from extension.inspection.settings import parse_settings


class RunsQuery(Payload):
    """One run by its number, or the newest `limit` runs."""

    run: QueriedId | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 20


class RunQuery(Payload):
    """The run a command is for."""

    run: QueriedId


def routes(paths: Paths) -> APIRouter:
    """Make the routes of this resource."""
    router = APIRouter(tags=["inspections"])
    router.add_api_route(paths.inspections, read_runs, methods=["GET"], response_model=RunsAnswer)
    router.add_api_route(paths.inspections, start, methods=["POST"], status_code=201, response_model=RunAnswer)
    router.add_api_route(paths.stop, stop, methods=["POST"], response_model=RunAnswer)
    router.add_api_route(paths.part("inspections/pause"), pause, methods=["POST"], response_model=RunAnswer)
    router.add_api_route(paths.part("inspections/finish"), finish, methods=["POST"], response_model=RunAnswer)
    router.add_api_route(paths.resume, resume, methods=["POST"], response_model=RunAnswer)
    return router


async def read_runs(query: Annotated[RunsQuery, Query()], services: Served) -> RunsAnswer:
    """Answer runs, the newest first."""
    if query.run is not None:
        return RunsAnswer(runs=(RunView.of(await services.inspector.runs.get(query.run)),))
    return RunsAnswer(runs=tuple(RunView.of(run) for run in await services.inspector.runs.recent(query.limit)))


async def start(body: Annotated[dict[str, Any], Body()], services: Served, asking: Asking) -> RunAnswer:
    """Start an inspection with the settings sent; absent ones have their defaults.

    An unknown or unusable setting is 400 `bad_setting`, another active run 409 `run_active`.
    """
    return RunAnswer(run=RunView.of(await services.inspector.runs.start(parse_settings(body), asking.actor)))


async def stop(query: Annotated[RunQuery, Query()], services: Served) -> RunAnswer:
    """Stop a run; stored results stay. Stopping a run that has ended changes nothing."""
    return RunAnswer(run=RunView.of(await services.inspector.runs.stop(query.run)))


async def pause(query: Annotated[RunQuery, Query()], services: Served) -> RunAnswer:
    """Pause a run: it starts no more probes and no more actions until it is resumed. Else 409, code `run_state`."""
    return RunAnswer(run=RunView.of(await services.inspector.runs.pause(query.run)))


async def finish(query: Annotated[RunQuery, Query()], services: Served) -> RunAnswer:
    """Finish a run early: it starts no more probes and acts, by its mode, on the results so far."""
    return RunAnswer(run=RunView.of(await services.inspector.runs.finish(query.run)))


async def resume(query: Annotated[RunQuery, Query()], services: Served) -> RunAnswer:
    """Resume a paused, interrupted or failed run; accounts with a result are not probed again."""
    return RunAnswer(run=RunView.of(await services.inspector.runs.resume(query.run)))
