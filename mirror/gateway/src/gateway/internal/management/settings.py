"""``/v0/management``: config.yaml, its settings, lists of keys, and maps for OAuth files."""

from collections.abc import Awaitable, Callable, Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gateway.internal.configuration.errors import ConfigurationError
from gateway.internal.configuration.oauth_maps import OAUTH_MAPS, OAuthMap
from gateway.internal.configuration.sections import Section
from gateway.internal.configuration.settings import SETTINGS, Setting
from gateway.internal.management.gate import PREFIX
from gateway.internal.management.gojson import (
    INVALID,
    BodyUnreadable,
    GoJSONResponse,
    done,
    leading_number,
    list_or_items,
    parse_fields,
    whole_json,
)
from gateway.internal.management.routing import ExactRoute, Resource
from gateway.internal.operations.configuration import as_json, read_document, write_text
from gateway.internal.operations.sections import Selector, delete_entry, list_section, patch_entry, replace_section
from gateway.internal.operations.settings import (
    client_keys,
    delete_channel,
    delete_client_key,
    put_channel,
    put_client_key,
    read_map,
    read_setting,
    replace_client_keys,
    replace_map,
    write_setting,
)

_RAW_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


class Settings(Resource):
    async def config(self, _: Request) -> Response:
        """Return the live configuration as JSON, without settings of this machine."""
        return GoJSONResponse(as_json(self._runtime))

    async def read(self, _: Request) -> Response:
        try:
            text = (await read_document(self._runtime)).text
        except (OSError, ConfigurationError) as error:
            return unreadable(error)
        return Response(text, media_type="application/yaml; charset=utf-8", headers=_RAW_HEADERS)

    async def write(self, request: Request) -> Response:
        """Replace config.yaml, for any content type."""
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
        return [
            *(route for setting in SETTINGS.values() for route in self._setting(setting)),
            ExactRoute(f"{PREFIX}/config", self.config, ["GET"]),
            ExactRoute(f"{PREFIX}/config.yaml", self.read, ["GET"]),
            ExactRoute(f"{PREFIX}/config.yaml", self.write, ["PUT"]),
        ]


def unreadable(error: OSError | ConfigurationError) -> Response:
    if isinstance(error, FileNotFoundError):
        return _problem(404, "not_found", "config file not found")
    return _problem(500, "read_failed", _text(error))


def unwritten(error: OSError | ConfigurationError) -> Response:
    if isinstance(error, OSError):
        return _problem(500, "write_failed", _text(error))
    return (
        _problem(400, "invalid_yaml", _text(error)) if error.syntax else _problem(422, "invalid_config", _text(error))
    )


def _problem(status: int, code: str, message: str) -> Response:
    return GoJSONResponse({"error": code, "message": message}, status)


def _text(error: OSError | ConfigurationError) -> str:
    """Return the problem without the file's path on this machine."""
    if isinstance(error, OSError):
        return (error.strerror or "unknown error").lower()
    return error.short


Handler = Callable[[Request], Awaitable[Response]]


class Sections(Resource):
    def routes(self) -> Sequence[BaseRoute]:
        return [
            ExactRoute(f"{PREFIX}/{section.value}", handler, [method])
            for section in Section
            for method, handler in self._handlers(section).items()
        ]

    def _handlers(self, section: Section) -> dict[str, Handler]:
        runtime = self._runtime

        async def show(_: Request) -> Response:
            return GoJSONResponse({section.value: list_section(runtime, section)})

        async def replace(request: Request) -> Response:
            return await done(replace_section(runtime, section, await list_or_items(request)))

        async def patch(request: Request) -> Response:
            fields = parse_fields(await request.body(), INVALID)
            match = fields.optional_text("name" if section is Section.COMPAT else "match")
            selector = Selector(fields.number("index"), match, request.query_params.get("base-url"))
            value = fields.value("value")
            if not isinstance(value, dict):
                raise BodyUnreadable(INVALID)
            return await done(patch_entry(runtime, section, selector, value))

        async def delete(request: Request) -> Response:
            query = request.query_params
            match = query.get("name" if section is Section.COMPAT else "api-key")
            selector = Selector(leading_number(query.get("index")), match, query.get("base-url"))
            return await done(delete_entry(runtime, section, selector))

        return {"GET": show, "PUT": replace, "PATCH": patch, "DELETE": delete}


class ClientKeys(Resource):
    async def show(self, _: Request) -> Response:
        """Return the client keys; null when there are none."""
        return GoJSONResponse({"api-keys": client_keys(self._runtime)})

    async def replace(self, request: Request) -> Response:
        return await done(replace_client_keys(self._runtime, await list_or_items(request)))

    async def patch(self, request: Request) -> Response:
        """Replace a key by its position, or by its value; an absent one is added."""
        fields = parse_fields(await request.body(), INVALID)
        index, value = fields.number("index"), fields.optional_text("value")
        old, new = fields.optional_text("old"), fields.optional_text("new")
        if index is not None and value is not None and 0 <= index < len(client_keys(self._runtime) or ()):
            return await done(put_client_key(self._runtime, value, index=index))
        if old is None or new is None:
            raise BodyUnreadable("missing fields")
        return await done(put_client_key(self._runtime, new, old=old))

    async def delete(self, request: Request) -> Response:
        query = request.query_params
        index = leading_number(query.get("index"))
        return await done(delete_client_key(self._runtime, index=index, key=query.get("value", "")))

    def routes(self) -> Sequence[BaseRoute]:
        path = f"{PREFIX}/api-keys"
        handlers = {"GET": self.show, "PUT": self.replace, "PATCH": self.patch, "DELETE": self.delete}
        return [ExactRoute(path, handler, [method]) for method, handler in handlers.items()]


class OAuthMaps(Resource):
    def routes(self) -> Sequence[BaseRoute]:
        return [route for which in OAUTH_MAPS for route in self._routes(which)]

    def _routes(self, which: OAuthMap) -> list[BaseRoute]:
        runtime = self._runtime

        async def show(_: Request) -> Response:
            return GoJSONResponse({which.name: read_map(runtime, which)})

        async def replace(request: Request) -> Response:
            return await done(replace_map(runtime, which, await whole_json(request)))

        async def patch(request: Request) -> Response:
            fields = parse_fields(await request.body(), INVALID)
            channel = fields.optional_text("channel") if which.word == "channel" else None
            if channel is None:
                channel = fields.optional_text("provider")
            if channel is None and which.word == "provider":
                raise BodyUnreadable(INVALID)
            return await done(put_channel(runtime, which, channel or "", fields.value(which.items_name)))

        async def delete(request: Request) -> Response:
            query = request.query_params
            channel = query.get("channel", "").strip() if which.word == "channel" else ""
            return await done(delete_channel(runtime, which, channel or query.get("provider", "")))

        path = f"{PREFIX}/{which.name}"
        handlers = {"GET": show, "PUT": replace, "PATCH": patch, "DELETE": delete}
        return [ExactRoute(path, handler, [method]) for method, handler in handlers.items()]
