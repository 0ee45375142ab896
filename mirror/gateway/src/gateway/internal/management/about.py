"""``/v0/management/plugins``, ``model-definitions`` and ``latest-version``: what this gateway is and knows."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gateway.internal.management.gate import PREFIX
from gateway.internal.management.gojson import GoJSONResponse
from gateway.internal.management.routing import ExactRoute
from gateway.internal.operations.models import defined_models
from gateway.internal.operations.plugins import list_plugins
from gateway.internal.runtime import Runtime


class About:
    """Answers the paths about the gateway itself."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def plugins(self, _: Request) -> Response:
        """List the plugins that are configured, and which of them run."""
        return GoJSONResponse(list_plugins(self._runtime))

    async def latest_version(self, _: Request) -> Response:
        """Say that nobody looked: the gateway calls no address that is not configured."""
        text = "this gateway does not look for newer versions; compare its version with its releases"
        return GoJSONResponse({"error": "request_failed", "message": text}, 502)

    async def models(self, request: Request) -> Response:
        """List the models this version knows of a family."""
        channel = request.path_params["channel"].strip().lower()
        models = defined_models(channel)
        if models is None:
            return GoJSONResponse({"channel": channel, "error": "unknown channel"}, 400)
        return GoJSONResponse({"channel": channel, "models": models})

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes of this resource."""
        return [
            ExactRoute(f"{PREFIX}/plugins", self.plugins, ["GET"]),
            ExactRoute(f"{PREFIX}/model-definitions/{{channel}}", self.models, ["GET"]),
            ExactRoute(f"{PREFIX}/latest-version", self.latest_version, ["GET"]),
        ]
