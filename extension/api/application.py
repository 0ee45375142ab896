"""The HTTP interface as one application: the resources behind authentication."""

from collections.abc import Iterator
from functools import cache
from typing import cast

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from extension.api import (
    actions,
    budgets,
    channels,
    client_keys,
    commands,
    entries,
    events,
    export,
    follow_up,
    inspections,
    pool,
    prices,
    service,
    sign_in,
)
from extension.api.auth.middleware import AuthenticationMiddleware
from extension.api.auth.read_limit import ReadLimit
from extension.api.auth.stream_guard import StreamGuard
from extension.api.fleet import audit, gateways, operators, overview, work
from extension.api.metrics import monitoring
from extension.api.paths import Paths
from extension.api.payloads.payload import ProblemView
from extension.api.problems import FORESEEN, problem_of
from extension.api.services import Entrance
from extension.api.usage import collection, explanation, records, rerate, series, summary, transfer
from extension.engine.dispatch.port import CommandPending

_RESOURCES = (
    service,
    pool,
    actions,
    commands,
    inspections,
    follow_up,
    sign_in,
    entries,
    export,
    events,
    channels,
    budgets,
    client_keys,
    prices,
    monitoring,
    records,
    summary,
    series,
    explanation,
    rerate,
    transfer,
    collection,
    gateways,
    overview,
    work,
    operators,
    audit,
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
    for resource in _RESOURCES:
        resource.route.add_to(application, paths)
    for kind in (*FORESEEN, Exception):
        application.add_exception_handler(kind, _answer)
    application.add_exception_handler(CommandPending, _pending)
    return application


def offered(paths: Paths) -> Iterator[tuple[str, str]]:
    """Yield method and path of each route of the resources: those of `openapi()`, without making an application."""
    for resource in _RESOURCES:
        yield from resource.route.offered(paths)


def guarded(services: Entrance) -> ASGIApp:
    """Make the whole interface for these collaborators: sign-in is open, everything else needs a session or the key."""
    paths = Paths(services.prefix)
    return AuthenticationMiddleware(
        resources(paths, services.version),
        services.authenticator,
        frozenset({paths.part("info/session")}),
        StreamGuard(services.authenticator, services.clock),
        reads=ReadLimit(services.reads_per_second, paths.part("inspections/events")),
        state={"services": services},
    )


async def _pending(_request: Request, error: Exception) -> Response:
    return commands.pending(cast("CommandPending", error))


async def _answer(_request: Request, error: Exception) -> Response:
    return problem_of(error).answer()
