"""``/v0/management/config``, ``config.yaml`` and ``debug``."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gateway.internal.configuration.errors import ConfigurationError
from gateway.internal.management.gate import PREFIX
from gateway.internal.management.gojson import GoJSONResponse
from gateway.internal.management.routing import ExactRoute
from gateway.internal.operations.configuration import as_json, read_text, write_text
from gateway.internal.runtime import Runtime

_RAW_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


class Settings:
    """Answers the paths about the configuration as a whole."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def config(self, _: Request) -> Response:
        """Return the live configuration as JSON, without what concerns only this machine."""
        return GoJSONResponse(as_json(self._runtime))

    async def read(self, _: Request) -> Response:
        """Return config.yaml as it stands on disk."""
        try:
            text = await read_text(self._runtime)
        except (OSError, ConfigurationError) as error:
            return unreadable(error)
        return Response(text, media_type="application/yaml; charset=utf-8", headers=_RAW_HEADERS)

    async def write(self, request: Request) -> Response:
        """Replace config.yaml, whatever the content type says."""
        try:
            await write_text(self._runtime, await request.body())
        except (OSError, ConfigurationError) as error:
            return unwritten(error)
        return GoJSONResponse({"changed": ["config"], "ok": True})

    async def debug(self, _: Request) -> Response:
        """Return one switch: the cheapest request that needs a key."""
        return GoJSONResponse({"debug": self._runtime.configuration.debug})

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes of this resource."""
        return [
            ExactRoute(f"{PREFIX}/config", self.config, ["GET"]),
            ExactRoute(f"{PREFIX}/config.yaml", self.read, ["GET"]),
            ExactRoute(f"{PREFIX}/config.yaml", self.write, ["PUT"]),
            ExactRoute(f"{PREFIX}/debug", self.debug, ["GET"]),
        ]


def unreadable(error: OSError | ConfigurationError) -> Response:
    """Say why config.yaml cannot be read."""
    if isinstance(error, FileNotFoundError):
        return _problem(404, "not_found", "config file not found")
    return _problem(500, "read_failed", _text(error))


def unwritten(error: OSError | ConfigurationError) -> Response:
    """Say why config.yaml was not replaced; nothing was written."""
    if isinstance(error, OSError):
        return _problem(500, "write_failed", _text(error))
    return (
        _problem(400, "invalid_yaml", _text(error)) if error.syntax else _problem(422, "invalid_config", _text(error))
    )


def _problem(status: int, code: str, message: str) -> Response:
    return GoJSONResponse({"error": code, "message": message}, status)


def _text(error: OSError | ConfigurationError) -> str:
    """Say what is wrong, without the place of the file on this machine."""
    if isinstance(error, OSError):
        return (error.strerror or "unknown error").lower()
    return f"yaml: line {error.line}: {error.problem}" if error.line else error.problem
