"""`poolkeeper/info/metrics` and `poolkeeper/info/openapi`: measurements, and the description of this interface."""

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from extension.api.metrics.exposition import CONTENT_TYPE, exposed
from extension.api.paths import Paths
from extension.api.services import Served, Services


def routes(paths: Paths) -> APIRouter:
    """Make the routes of these resources."""
    router = APIRouter(tags=["info"])
    router.add_api_route(
        paths.part("info/metrics"),
        read_metrics,
        methods=["GET"],
        response_class=Response,
        responses={200: {"content": {"text/plain": {}}, "description": "Metrics in the text format of Prometheus."}},
    )
    router.add_api_route(paths.part("info/openapi"), read_description, methods=["GET"])
    return router


async def read_metrics(services: Served) -> Response:
    """Answer the metrics; `/metrics` answers the same, to the management key or to the token of the settings."""
    return await metrics_of(services)


async def read_description(request: Request) -> dict[str, Any]:
    """Answer the OpenAPI description of this interface."""
    described: dict[str, Any] = request.app.openapi()
    return described


async def metrics_of(services: Services) -> Response:
    """Measure now, and answer in the text format."""
    measurements, totals = await services.measurements.read(), await services.usage.totals.read()
    return Response(exposed(measurements, services.version, totals), media_type=CONTENT_TYPE)


def health(*, ready: bool) -> JSONResponse:
    """Answer a health check."""
    return JSONResponse({"status": "ok" if ready else "unavailable"}, 200 if ready else 503)
