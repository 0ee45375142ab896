"""Safe mode: a gateway started with a key of the example configuration serves no models until that key is gone."""

from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.internal.management.gojson import GoJSONResponse
from gateway.internal.runtime import Runtime

_CLOSED = ("/v1", "/v1beta", "/openai/v1", "/backend-api/codex")
_HEADER = {"X-CPA-SAFE-MODE": "example-api-key"}
_MESSAGE = (
    "Proxy API endpoints are disabled because api-keys contains template values. "
    "Replace them in config.yaml, or through /v0/management/api-keys."
)
_PAGE = f"<!doctype html><title>Safe mode</title><h1>Safe mode</h1><p>{_MESSAGE}</p>\n"


class SafeMode:
    """Answers 403 below every path clients use, and a page that says so at ``/``; management keeps working."""

    def __init__(self, app: ASGIApp, runtime: Runtime) -> None:
        self._app = app
        self._runtime = runtime

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
        answer = (
            _answer(scope["path"], scope["method"]) if scope["type"] == "http" and self._runtime.safe_mode else None
        )
        await (answer or self._app)(scope, receive, send)


def _answer(path: str, method: str) -> Response | None:
    if any(path == closed or path.startswith(f"{closed}/") for closed in _CLOSED):
        return GoJSONResponse({"error": "unsafe_example_api_key", "message": _MESSAGE}, 403, _HEADER)
    return HTMLResponse(_PAGE, headers=_HEADER) if path == "/" and method == "GET" else None
