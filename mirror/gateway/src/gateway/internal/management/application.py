"""The gateway as one ASGI application."""

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from gateway.internal.inference.clients import Clients
from gateway.internal.management.about import About
from gateway.internal.management.auth_files import AuthFiles
from gateway.internal.management.body_limit import BodyTooLong, too_long
from gateway.internal.management.calls import Calls
from gateway.internal.management.credential_files import CredentialFiles
from gateway.internal.management.cross_origin import CrossOrigin
from gateway.internal.management.gate import ManagementGate, is_management
from gateway.internal.management.gojson import BodyUnreadable, GoJSONResponse
from gateway.internal.management.lists import ClientKeys, OAuthMaps
from gateway.internal.management.public import public_routes
from gateway.internal.management.routing import TrailingSlash, not_found
from gateway.internal.management.safe_mode import SafeMode
from gateway.internal.management.sections import Sections
from gateway.internal.management.settings import Settings
from gateway.internal.management.usage import Usage
from gateway.internal.management.vertex import Vertex
from gateway.internal.operations.admission import management_available
from gateway.internal.operations.calls import CallRefused
from gateway.internal.operations.changing import Refused
from gateway.internal.plugins.answering import PluginPaths
from gateway.internal.runtime import Runtime

_CLIENT_CLOSED_REQUEST = 499


def build_application(runtime: Runtime) -> ASGIApp:
    """Build the application over a runtime, which need not have started yet.

    The application owns nothing: whoever serves it starts the runtime before the first request and stops it after
    the last (``serving.serve`` does). Its own lifespan does nothing, so it can be wrapped by, or mounted in, another
    application whose lifespan runs instead.
    """

    def exists(path: str) -> bool:
        return management_available(runtime) or not is_management(path)

    routes: list[BaseRoute] = [
        *public_routes(),
        *Clients(runtime).routes(),
        *AuthFiles(runtime).routes(),
        *CredentialFiles(runtime).routes(),
        *Vertex(runtime).routes(),
        *Calls(runtime).routes(),
        *Settings(runtime).routes(),
        *Sections(runtime).routes(),
        *ClientKeys(runtime).routes(),
        *OAuthMaps(runtime).routes(),
        *About(runtime).routes(),
        *Usage(runtime).routes(),
    ]
    application = Starlette(
        routes=routes,
        middleware=[
            Middleware(TrailingSlash, routes=routes, exists=exists),
            Middleware(CrossOrigin),
            Middleware(SafeMode, runtime=runtime),
            Middleware(ManagementGate, runtime=runtime),
        ],
        exception_handlers={
            BodyTooLong: _too_long,
            BodyUnreadable: _unreadable,
            CallRefused: _refused,
            Refused: _refused,
            ClientDisconnect: _nobody_listens,
            Exception: _broken,
        },
    )
    application.router.redirect_slashes = False
    application.router.default = PluginPaths(runtime.plugins, not_found)
    runtime.plugins.host.application = application
    return application


async def _unreadable(_: Request, error: Exception) -> Response:
    return GoJSONResponse({"error": str(error)}, 400)


async def _too_long(_: Request, __: Exception) -> Response:
    return too_long()


async def _refused(_: Request, error: Exception) -> Response:
    return GoJSONResponse({"error": str(error)}, error.status if isinstance(error, CallRefused | Refused) else 400)


async def _nobody_listens(_: Request, __: Exception) -> Response:
    return Response(status_code=_CLIENT_CLOSED_REQUEST)


async def _broken(_: Request, __: Exception) -> Response:
    """Answer for a defect of ours; the server logs it. The stock gateway's answer is empty too."""
    return Response(status_code=500)
