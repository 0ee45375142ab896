"""A gateway that serves plugins below a resource path and hands whole answers on, as the stock one does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from adapter.clock import SystemClock
from adapter.contract.expectations import PREFIX
from adapter.privacy.secret import Secret
from extension.plugin.asgi import AsgiCaller
from extension.plugin.front import Front
from extension.plugin.leased_service import LeasedService, Opened
from extension.plugin.routes import page_path, routes
from extension.plugin.settings import PluginSettings
from extension.plugin.v1.plugin_pb2 import ACCESS_GUARDED, Header, HttpRequest, Route

BASE: Final = "/v0/resource/plugins/poolkeeper"
PANEL: Final = "/management.html"
_PANEL: Final = f"""<!doctype html><title>Panel</title><link rel="icon" href="data:,">
<iframe src="{page_path(BASE)}" width="1400" height="850"></iframe>"""
_ANSWER_SECONDS: Final = 10.0
_NOT_FOUND: Final = 404
_REFUSED: Final = 401


class PluginHost:
    """Serves an application as a plugin (ASGI), and a panel that shows its page in a frame."""

    def __init__(self, application: ASGIApp, key: str) -> None:
        clock = SystemClock()
        service = LeasedService(_never_opened, clock)
        service.application = application
        self._application = application
        self._key = key
        self._routes: Mapping[tuple[str, str], Route] = {
            (route.method, route.path): route for route in routes(PREFIX, BASE)
        }
        self._caller = AsgiCaller(Front.of(service, clock, prefix=PREFIX, resource_base=BASE), BASE, raw_json=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or the lifespan of the application."""
        if scope["type"] == "lifespan":
            await self._application(scope, receive, send)
            return
        answer = await self._answer(Request(scope, receive))
        await answer(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        if request.url.path == PANEL:
            return HTMLResponse(_PANEL)
        route = self._routes.get((request.method, request.url.path))
        if route is None:
            return Response(status_code=_NOT_FOUND)
        if route.access == ACCESS_GUARDED and request.headers.get("x-management-key") != self._key:
            return Response('{"error": "invalid management key"}', _REFUSED)
        passed = HttpRequest(
            method=request.method,
            path=request.url.path,
            query=request.url.query,
            headers=[Header(name=name, values=[value]) for name, value in request.headers.items()],
            body=await request.body(),
            access=route.access,
            remote_address="127.0.0.1:1",
            scheme="http",
            host=request.headers["host"],
        )
        answer = await self._caller.whole(passed, _ANSWER_SECONDS)
        response = Response(answer.body, answer.status)
        for header in answer.headers:
            for value in header.values:
                response.headers.append(header.name, value)
        return response


def _never_opened(_settings: PluginSettings, _key: Secret) -> Opened:
    raise AssertionError("the application is there already")
