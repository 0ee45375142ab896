"""The HTTP interface as one application: the resources behind authentication."""

from collections.abc import Iterator
from functools import cache

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from extension.api import channels
from extension.api.auth.middleware import AuthenticationMiddleware
from extension.api.auth.stream_guard import StreamGuard
from extension.api.metrics import description
from extension.api.path_index import PathIndex
from extension.api.paths import Paths
from extension.api.payloads.problem import ProblemView
from extension.api.pool import actions, overview, pool, recent, restoration
from extension.api.prices import aliases, model_prices, public_list
from extension.api.problems import FORESEEN, problem_of
from extension.api.read_limit import ReadLimit
from extension.api.runs import cost, difference, events, export, follow_up, inspections, results
from extension.api.services import Services, with_services
from extension.api.settings import automation, config, info, schedules, session
from extension.api.usage import collection, explanation, records, rerate, series, stream, summary, transfer

_RESOURCES = (
    info,
    session,
    config,
    pool,
    overview,
    actions,
    restoration,
    inspections,
    cost,
    recent,
    results,
    follow_up,
    difference,
    export,
    schedules,
    events,
    channels,
    model_prices,
    public_list,
    aliases,
    description,
    records,
    summary,
    series,
    explanation,
    rerate,
    stream,
    transfer,
    collection,
    automation,
)


@cache
def resources(paths: Paths, version: str) -> FastAPI:
    """Make the resources without their collaborators: enough for `openapi()`, which describes the whole interface.

    They find their collaborators in each request, so one application is enough for a process: making it takes 0.1 s.
    """
    application = FastAPI(
        title="Poolkeeper",
        version=version,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        responses={"default": {"model": ProblemView, "description": "An error; see `code` and `hint`."}},
    )
    found: list[tuple[str, BaseRoute]] = []
    for resource in _RESOURCES:
        router = resource.routes(paths)
        application.include_router(router)
        found += [(route.path, application.router.routes[-1]) for route in router.routes if isinstance(route, Route)]
    application.router.routes.insert(0, PathIndex(found))
    for kind in (*FORESEEN, Exception):
        application.add_exception_handler(kind, _answer)
    return application


def offered(paths: Paths) -> Iterator[tuple[str, str]]:
    """Yield method and path of each route of the resources: those of `openapi()`, in a fifth of its time."""
    for resource in _RESOURCES:
        for route in resource.routes(paths).routes:
            if isinstance(route, APIRoute) and route.include_in_schema:
                yield from ((method, route.path_format) for method in route.methods or ())


def guarded(services: Services) -> ASGIApp:
    """Make the whole interface for these collaborators: sign-in is open, everything else needs a session or the key."""
    paths = Paths.under(services.prefix)
    application = with_services(resources(paths, services.version), services)
    limited = ReadLimit(application, services.clock, services.reads_per_second, paths.events)
    streams = StreamGuard(services.authenticator, services.clock)
    guard = AuthenticationMiddleware(limited, services.authenticator, frozenset({paths.session}), streams)
    return limited.before(guard)


async def _answer(_request: Request, error: Exception) -> Response:
    return problem_of(error).answer()
