"""Metrics, health and description of the service: resources of ours, and `/metrics`, `/livez` and `/readyz`."""

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

import structlog
from fastapi import Request, Response
from fastapi.responses import JSONResponse
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from adapter.contract.expectations import LIVE, METRICS, READY
from adapter.port.errors import Banned
from adapter.privacy.management_key import presented
from adapter.privacy.secret import Secret
from extension.api.auth.foreign import marked
from extension.api.metrics.exposition import CONTENT_TYPE, exposed
from extension.api.paths import Paths
from extension.api.problems import problem_of
from extension.api.routes import Routes
from extension.api.services import Served, Services
from extension.store.errors import StoreError

route = Routes("info")


@route(
    "GET",
    "info/metrics",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}, "description": "Metrics in the text format of Prometheus."}},
)
async def read_metrics(services: Served) -> Response:
    """Answer the metrics; `/metrics` answers the same, to the management key or to the token of the settings."""
    measurements, totals = await services.measurements.read(), await services.usage.totals.read()
    return Response(exposed(measurements, services.version, totals), media_type=CONTENT_TYPE)


@route("GET", "info/openapi")
async def read_description(request: Request) -> dict[str, Any]:
    """Answer the OpenAPI description of this interface."""
    described: dict[str, Any] = request.app.openapi()
    return described


def health(*, ready: bool, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """Answer a health check."""
    return JSONResponse({"status": "ok" if ready else "unavailable"}, 200 if ready else 503, headers)


_SAFE = frozenset({"GET", "HEAD"})
_LOG = structlog.get_logger("poolkeeper.api")


class Monitoring:
    """Answers monitoring (ASGI), and hands everything else to `inside`.

    Metrics need the token of the settings or the management key. A request without the token goes on to the guarded
    interface under the path it has there, which judges it like any other. Health checks are open and say nothing but
    yes or no.
    """

    def __init__(self, inside: ASGIApp, services: Services, token: Secret | None) -> None:
        self._inside = inside
        self._services = services
        self._token = token
        self._metrics = Paths(services.prefix).part("info/metrics")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request (ASGI)."""
        path, safe = scope["path"], scope["method"] in _SAFE
        if path == LIVE and safe:
            await health(ready=True)(scope, receive, send)
        elif path == READY and safe:
            await (await self._readiness())(scope, receive, send)
        elif path in {METRICS, self._metrics} and safe and has_token(scope, self._token):
            await self._measure(scope, receive, send)
        elif path in {METRICS, self._metrics}:
            # A monitoring system with an old token must not lock the operator of the same machine out.
            headers = scope["headers"] if self._token is None else marked(scope["headers"])
            inner = {**scope, "path": self._metrics, "raw_path": self._metrics.encode(), "headers": headers}
            await self._inside(inner, receive, send)
        else:
            await self._inside(scope, receive, send)

    async def _measure(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            answer = await read_metrics(self._services)
        except Exception as error:  # noqa: BLE001 - a request ends here, whatever it met
            _LOG.exception("metrics failed")
            answer = problem_of(error).answer()
        await answer(scope, receive, send)

    async def _readiness(self) -> JSONResponse:
        """Answer 503 for a store that fails, or a gateway that refuses the service; a ban says when it ends."""
        refusal = self._services.authenticator.gateway.refusal()
        if refusal is not None:
            until = refusal.until if isinstance(refusal, Banned) else None
            seconds = None if until is None else max(0, -((self._services.clock.now_ms() - until) // 1000))
            return health(ready=False, headers=None if seconds is None else {"Retry-After": str(seconds)})
        try:
            await self._services.measurements.ready()
        except StoreError:
            return health(ready=False)
        return health(ready=True)


def has_token(scope: Scope, token: Secret | None) -> bool:
    """Return whether a request shows the token of monitoring systems."""
    if token is None:
        return False
    shown = presented(HTTPConnection(scope).headers.get("Authorization", ""), "")
    return shown is not None and hmac.compare_digest(_digest(shown), _digest(token))


def _digest(secret: Secret) -> bytes:
    """Hash a token, so that the comparison takes the same time for every length."""
    return hashlib.sha256(secret.reveal().encode("utf-8", "surrogatepass")).digest()
