"""``POST /v0/management/vertex/import``: a credential file from a service account."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gateway.internal.management.forms import Part, is_form, parts_of
from gateway.internal.management.gate import PREFIX
from gateway.internal.management.gojson import BodyUnreadable, GoJSONResponse
from gateway.internal.management.routing import ExactRoute
from gateway.internal.operations.vertex_import import ImportRefused, import_service_account
from gateway.internal.runtime import Runtime


class Vertex:
    """Answers the import of service accounts."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def store(self, request: Request) -> Response:
        """Store the account in the field ``file`` of a form."""
        parts = await _parts(request)
        files = [part.content for part in parts if part.name == "file" and part.file_name is not None]
        if not files:
            raise BodyUnreadable("file required")
        location = _value(parts, "location") or request.query_params.get("location", "")
        try:
            made = await import_service_account(self._runtime, files[0], location)
        except ImportRefused as refused:
            more = {"message": refused.message} if refused.message else {}
            return GoJSONResponse({"error": refused.error, **more}, refused.status)
        shown = {"auth-file": made.path, "email": made.email, "location": made.location}
        return GoJSONResponse({**shown, "project_id": made.project_id, "status": "ok"})

    def routes(self) -> list[BaseRoute]:
        """Return the route of this resource."""
        return [ExactRoute(f"{PREFIX}/vertex/import", self.store, ["POST"])]


async def _parts(request: Request) -> list[Part]:
    kind = request.headers.get("content-type", "")
    try:
        return parts_of(kind, await request.body()) if is_form(kind) else []
    except BodyUnreadable:
        return []


def _value(parts: list[Part], name: str) -> str:
    found = (part.content for part in parts if part.name == name and part.file_name is None)
    return next(found, b"").decode("utf-8", "replace").strip()
