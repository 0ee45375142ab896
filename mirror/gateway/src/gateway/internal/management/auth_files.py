"""``/v0/management/auth-files``: listing, switching and deleting credentials."""

from collections.abc import Sequence

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gateway.internal.management.gate import PREFIX
from gateway.internal.management.gojson import (
    BodyUnreadable,
    Fields,
    GoJSONResponse,
    go_json_list,
    parse_fields,
    parse_json,
)
from gateway.internal.management.routing import ExactRoute
from gateway.internal.operations.files import DeleteResult, delete_all, delete_files
from gateway.internal.operations.listing import list_entries
from gateway.internal.operations.status import StatusChange, StatusResult, set_disabled
from gateway.internal.runtime import Runtime

_ALL = frozenset({"true", "1", "*"})
_UNREADABLE = "invalid request body"


class AuthFiles:
    """Answers the paths under auth-files."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def list(self, request: Request) -> Response:
        """List credentials; ``name`` and ``auth_index`` narrow the list down, nothing found is an empty list."""
        query = request.query_params
        name, index = query.get("name", "").strip(), query.get("auth_index", "").strip()
        entries = await list_entries(self._runtime, name or None, index or None)
        return await go_json_list("files", [entry.fields for entry in entries])

    async def status(self, request: Request) -> Response:
        """Switch one credential on or off."""
        change = status_change(parse_fields(await request.body(), _UNREADABLE))
        (result,) = await set_disabled(self._runtime, [change])
        return status_answer(result)

    async def delete(self, request: Request) -> Response:
        """Delete one credential file, several, or all."""
        if request.query_params.get("all") in _ALL:
            return GoJSONResponse({"deleted": await delete_all(self._runtime), "status": "ok"})
        names = names_to_delete(request.query_params, await request.body())
        return delete_answer(await delete_files(self._runtime, names))

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes of this resource."""
        return [
            ExactRoute(f"{PREFIX}/auth-files", self.list, ["GET"]),
            ExactRoute(f"{PREFIX}/auth-files", self.delete, ["DELETE"]),
            ExactRoute(f"{PREFIX}/auth-files/status", self.status, ["PATCH"]),
        ]


def status_change(fields: Fields) -> StatusChange:
    """Read a status change from the body of a request."""
    name, index, disabled = fields.text("name").strip(), fields.text("auth_index").strip(), fields.switch("disabled")
    if not name:
        raise BodyUnreadable("name is required")
    if disabled is None:
        raise BodyUnreadable("disabled is required")
    return StatusChange(name=name, disabled=disabled, auth_index=index)


def status_answer(result: StatusResult) -> Response:
    """Write what became of a status change."""
    if result.error:
        return GoJSONResponse({"error": result.error}, result.status)
    content = {"disabled": result.disabled, "excluded_pattern": result.excluded_pattern, "status": "ok"}
    present = {name: value for name, value in (content | {"via": result.via}).items() if value != ""}
    return GoJSONResponse(present, result.status)


def names_to_delete(query: QueryParams, body: bytes) -> list[str]:
    """Return the names to delete, trimmed, each once: those of the query, else those of the body."""
    names = query.getlist("name") or (_names_in(body) if body.strip() else [])
    unique = [name for name in dict.fromkeys(name.strip() for name in names) if name]
    if not unique:
        raise BodyUnreadable("invalid name")
    return unique


def _names_in(body: bytes) -> Sequence[str]:
    """Read a list of names, or an object with ``name`` and ``names``."""
    document = parse_json(body, _UNREADABLE)
    if isinstance(document, list):
        return Fields({"names": document}, _UNREADABLE).texts("names")
    fields = parse_fields(body, _UNREADABLE)
    return [fields.text("name"), *fields.texts("names")]


def delete_answer(results: Sequence[DeleteResult]) -> Response:
    """Write what became of the files: 207 when there were several and some of them remain."""
    failed = [{"error": result.error, "name": result.name} for result in results if result.error]
    if len(results) == 1:
        (only,) = results
        return GoJSONResponse({"error": only.error} if only.error else {"status": "ok"}, only.status)
    deleted = [result.name for result in results if not result.error]
    content: dict[str, object] = {"deleted": len(deleted)}
    if failed:
        content["failed"] = failed
    content |= {"files": deleted, "status": "partial" if failed else "ok"}
    return GoJSONResponse(content, 207 if failed else 200)
