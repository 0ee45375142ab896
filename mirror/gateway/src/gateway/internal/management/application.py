"""The gateway as one ASGI application."""

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from gateway.internal.inference.clients import Clients
from gateway.internal.management.about import About, public_routes
from gateway.internal.management.auth_files import AuthFiles, CredentialFiles, Vertex
from gateway.internal.management.calls import Calls
from gateway.internal.management.gate import BodyTooLong, ManagementGate, is_management, too_long
from gateway.internal.management.gojson import BodyUnreadable, GoJSONResponse
from gateway.internal.management.routing import CrossOrigin, SafeMode, TrailingSlash, not_found
from gateway.internal.management.settings import ClientKeys, OAuthMaps, Sections, Settings
from gateway.internal.management.usage import Usage
from gateway.internal.operations.admission import management_available
from gateway.internal.operations.calls import CallRefused
from gateway.internal.operations.changing import Refused
from gateway.internal.plugins.answering import PluginPaths
from gateway.internal.runtime import Runtime

_CLIENT_CLOSED_REQUEST = 499


def build_application(runtime: Runtime) -> ASGIApp:
    """Build the application over a runtime, which need not have started yet.

    The application owns nothing: the server starts the runtime before the first request and stops it after the last
    (see ``serving.serve``). Its own lifespan does nothing, so another application can wrap or mount it.
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
    """Answer an internal error, which the server logs. The stock gateway's answer is empty too."""
    return Response(status_code=500)
