"""``/v0/management/<section>``: the lists of API keys."""

from collections.abc import Awaitable, Callable, Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gateway.internal.configuration.sections import Section
from gateway.internal.management.answers import INVALID, done, leading_number, list_or_items
from gateway.internal.management.gate import PREFIX
from gateway.internal.management.gojson import BodyUnreadable, GoJSONResponse, parse_fields
from gateway.internal.management.routing import ExactRoute
from gateway.internal.operations.sections import Selector, delete_entry, list_section, patch_entry, replace_section
from gateway.internal.runtime import Runtime

Handler = Callable[[Request], Awaitable[Response]]


class Sections:
    """Answers the paths of the seven lists, all in the same way."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes of this resource."""
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
