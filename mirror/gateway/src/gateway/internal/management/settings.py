"""``/v0/management/config``, ``config.yaml``, and the settings with a path of their own."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gateway.internal.configuration.errors import ConfigurationError
from gateway.internal.configuration.settings import SETTINGS, Setting
from gateway.internal.management.answers import INVALID, done
from gateway.internal.management.gate import PREFIX
from gateway.internal.management.gojson import GoJSONResponse, parse_fields
from gateway.internal.management.routing import ExactRoute
from gateway.internal.operations.configuration import as_json, read_text, write_text
from gateway.internal.operations.settings import read_setting, write_setting
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

    def _setting(self, setting: Setting) -> list[BaseRoute]:
        runtime = self._runtime

        async def show(_: Request) -> Response:
            return GoJSONResponse({setting.answer: read_setting(runtime, setting.name)})

        async def write(request: Request) -> Response:
            value = parse_fields(await request.body(), INVALID).value("value")
            return await done(write_setting(runtime, setting.name, value))

        async def clear(_: Request) -> Response:
            return await done(write_setting(runtime, setting.name, ""))

        path = f"{PREFIX}/{setting.name}"
        routes: list[BaseRoute] = [ExactRoute(path, show, ["GET"]), ExactRoute(path, write, ["PUT", "PATCH"])]
        return [*routes, ExactRoute(path, clear, ["DELETE"])] if setting.name == "proxy-url" else routes

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes of this resource."""
        return [
            *(route for setting in SETTINGS.values() for route in self._setting(setting)),
            ExactRoute(f"{PREFIX}/config", self.config, ["GET"]),
            ExactRoute(f"{PREFIX}/config.yaml", self.read, ["GET"]),
            ExactRoute(f"{PREFIX}/config.yaml", self.write, ["PUT"]),
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
    return error.short
