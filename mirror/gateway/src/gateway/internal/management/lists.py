"""``/v0/management/api-keys`` and the maps about OAuth files."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gateway.internal.configuration.oauth_maps import OAUTH_MAPS, OAuthMap
from gateway.internal.management.answers import INVALID, done, leading_number, list_or_items, whole_json
from gateway.internal.management.gate import PREFIX
from gateway.internal.management.gojson import BodyUnreadable, GoJSONResponse, parse_fields
from gateway.internal.management.routing import ExactRoute
from gateway.internal.operations.settings import (
    client_keys,
    delete_channel,
    delete_client_key,
    put_channel,
    put_client_key,
    read_map,
    replace_client_keys,
    replace_map,
)
from gateway.internal.runtime import Runtime


class ClientKeys:
    """Answers api-keys: who may use the models."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def show(self, _: Request) -> Response:
        """Return the keys; null when there are none."""
        return GoJSONResponse({"api-keys": client_keys(self._runtime)})

    async def replace(self, request: Request) -> Response:
        """Replace all keys."""
        return await done(replace_client_keys(self._runtime, await list_or_items(request)))

    async def patch(self, request: Request) -> Response:
        """Replace one key by its position, or by itself; one that is absent is added."""
        fields = parse_fields(await request.body(), INVALID)
        index, value = fields.number("index"), fields.optional_text("value")
        old, new = fields.optional_text("old"), fields.optional_text("new")
        if index is not None and value is not None and 0 <= index < len(client_keys(self._runtime) or ()):
            return await done(put_client_key(self._runtime, value, index=index))
        if old is None or new is None:
            raise BodyUnreadable("missing fields")
        return await done(put_client_key(self._runtime, new, old=old))

    async def delete(self, request: Request) -> Response:
        """Take keys away."""
        query = request.query_params
        index = leading_number(query.get("index"))
        return await done(delete_client_key(self._runtime, index=index, key=query.get("value", "")))

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes of this resource."""
        path = f"{PREFIX}/api-keys"
        handlers = {"GET": self.show, "PUT": self.replace, "PATCH": self.patch, "DELETE": self.delete}
        return [ExactRoute(path, handler, [method]) for method, handler in handlers.items()]


class OAuthMaps:
    """Answers the maps about OAuth files, all in the same way."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes of these resources."""
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
