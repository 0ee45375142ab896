"""Paths about the gateway itself: health, plugins, models and version."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gateway.internal.management.gate import PREFIX
from gateway.internal.management.gojson import GoJSONResponse
from gateway.internal.management.routing import ExactRoute, Resource
from gateway.internal.operations.models import defined_models, list_plugins


class About(Resource):
    async def plugins(self, _: Request) -> Response:
        return GoJSONResponse(list_plugins(self._runtime))

    async def latest_version(self, _: Request) -> Response:
        """Answer that the gateway does not look for newer versions: it calls no address that is not configured."""
        text = "this gateway does not look for newer versions; compare its version with its releases"
        return GoJSONResponse({"error": "request_failed", "message": text}, 502)

    async def models(self, request: Request) -> Response:
        channel = request.path_params["channel"].strip().lower()
        models = defined_models(channel)
        if models is None:
            return GoJSONResponse({"channel": channel, "error": "unknown channel"}, 400)
        return GoJSONResponse({"channel": channel, "models": models})

    def routes(self) -> Sequence[BaseRoute]:
        return [
            ExactRoute(f"{PREFIX}/plugins", self.plugins, ["GET"]),
            ExactRoute(f"{PREFIX}/model-definitions/{{channel}}", self.models, ["GET"]),
            ExactRoute(f"{PREFIX}/latest-version", self.latest_version, ["GET"]),
        ]


async def health(request: Request) -> Response:
    return Response() if request.method == "HEAD" else GoJSONResponse({"status": "ok"})


async def root(_: Request) -> Response:
    endpoints = ["POST /v1/chat/completions", "POST /v1/completions", "GET /v1/models"]
    return GoJSONResponse({"endpoints": endpoints, "message": "CLI Proxy API Server"})


def public_routes() -> list[BaseRoute]:
    return [ExactRoute("/healthz", health, ["GET", "HEAD"]), ExactRoute("/", root, ["GET"])]
