"""The two answers everybody gets."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gateway.internal.management.gojson import GoJSONResponse
from gateway.internal.management.routing import ExactRoute


async def health(request: Request) -> Response:
    """``GET|HEAD /healthz``: the gateway runs. No key is needed."""
    return Response() if request.method == "HEAD" else GoJSONResponse({"status": "ok"})


async def root(_: Request) -> Response:
    """``GET /``: what this is. No key is needed."""
    endpoints = ["POST /v1/chat/completions", "POST /v1/completions", "GET /v1/models"]
    return GoJSONResponse({"endpoints": endpoints, "message": "CLI Proxy API Server"})


def public_routes() -> list[BaseRoute]:
    """Return the routes that need no key."""
    return [ExactRoute("/healthz", health, ["GET", "HEAD"]), ExactRoute("/", root, ["GET"])]
