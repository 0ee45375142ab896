"""``/v0/management/auth-files`` and ``vertex/import``: credentials and their files."""

import re
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
    Part,
    done,
    go_json_list,
    is_form,
    parse_fields,
    parse_json,
    parts_of,
)
from gateway.internal.management.routing import ExactRoute, Resource
from gateway.internal.operations.file_fields import patch_fields
from gateway.internal.operations.files import DeleteResult, delete_all, delete_files
from gateway.internal.operations.listing import list_entries
from gateway.internal.operations.models import list_models
from gateway.internal.operations.status import StatusChange, StatusResult, set_disabled
from gateway.internal.operations.uploading import (
    ImportRefused,
    Upload,
    UploadResult,
    checked_name,
    import_service_account,
    read_credential_file,
    upload_files,
)

_ALL = frozenset({"true", "1", "*"})
_UNREADABLE = "invalid request body"


class AuthFiles(Resource):
    async def list(self, request: Request) -> Response:
        """List credentials, filtered by ``name`` and ``auth_index``."""
        query = request.query_params
        name, index = query.get("name", "").strip(), query.get("auth_index", "").strip()
        entries = await list_entries(self._runtime, name or None, index or None)
        return await go_json_list("files", [entry.fields for entry in entries])

    async def status(self, request: Request) -> Response:
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
        return [
            ExactRoute(f"{PREFIX}/auth-files", self.list, ["GET"]),
            ExactRoute(f"{PREFIX}/auth-files", self.delete, ["DELETE"]),
            ExactRoute(f"{PREFIX}/auth-files/status", self.status, ["PATCH"]),
        ]


def status_change(fields: Fields) -> StatusChange:
    name, index, disabled = fields.text("name").strip(), fields.text("auth_index").strip(), fields.switch("disabled")
    if not name:
        raise BodyUnreadable("name is required")
    if disabled is None:
        raise BodyUnreadable("disabled is required")
    return StatusChange(name=name, disabled=disabled, auth_index=index)


def status_answer(result: StatusResult) -> Response:
    if result.error:
        return GoJSONResponse({"error": result.error}, result.status)
    content = {"disabled": result.disabled, "excluded_pattern": result.excluded_pattern, "status": "ok"}
    present = {name: value for name, value in (content | {"via": result.via}).items() if value != ""}
    return GoJSONResponse(present, result.status)


def names_to_delete(query: QueryParams, body: bytes) -> list[str]:
    """Return the names to delete, trimmed, each once, from the query, else from the body."""
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


_PATH = f"{PREFIX}/auth-files"


class CredentialFiles(Resource):
    async def upload(self, request: Request) -> Response:
        """Store one file from the body, or the files of a form."""
        kind = request.headers.get("content-type", "")
        if is_form(kind):
            uploads = files_in_form(kind, await request.body())
            return upload_answer(await upload_files(self._runtime, uploads))
        name = checked_name(request.query_params.get("name", ""))
        return upload_answer(await upload_files(self._runtime, [Upload(name, await request.body())]))

    async def download(self, request: Request) -> Response:
        name = request.query_params.get("name", "").strip()
        content = await read_credential_file(self._runtime, name)
        shown = re.sub("[\r\n]", " ", name).replace("\\", "\\\\").replace('"', '\\"')
        disposition = f'attachment; filename="{shown}"'.encode("utf-8", "replace").decode("latin-1")
        return Response(content, headers={"content-type": "application/json", "content-disposition": disposition})

    async def fields(self, request: Request) -> Response:
        document = parse_json(await request.body(), "invalid request body")
        if not isinstance(document, dict):
            raise BodyUnreadable("invalid request body")
        name = document.pop("name", None)
        if not isinstance(name, str) or not name.strip():
            raise BodyUnreadable("name is required")
        return await done(patch_fields(self._runtime, name.strip(), document))

    async def models(self, request: Request) -> Response:
        """Return the models of a credential, also of a configured key; none for a disabled one."""
        name = request.query_params.get("name", "")
        if not name:
            raise BodyUnreadable("name is required")
        return GoJSONResponse({"models": list_models(self._runtime, name)})

    def routes(self) -> Sequence[BaseRoute]:
        return [
            ExactRoute(_PATH, self.upload, ["POST"]),
            ExactRoute(f"{_PATH}/models", self.models, ["GET"]),
            ExactRoute(f"{_PATH}/download", self.download, ["GET"]),
            ExactRoute(f"{_PATH}/fields", self.fields, ["PATCH"]),
        ]


def files_in_form(content_type: str, body: bytes) -> list[Upload]:
    """Return the files of a multipart form, sorted by field name.

    Raises:
        BodyUnreadable: It is not a form, or one without files.
    """
    parts = parts_of(content_type, body)
    files = [(part.name, Upload(part.file_name, part.content)) for part in parts if part.file_name is not None]
    if not files:
        raise BodyUnreadable("no files uploaded")
    return [upload for _, upload in sorted(files, key=lambda pair: pair[0])]


def upload_answer(results: Sequence[UploadResult]) -> Response:
    """Answer 207 when there were several files and some of them are not stored."""
    if len(results) == 1:
        (only,) = results
        return GoJSONResponse({"error": only.error} if only.error else {"status": "ok"}, only.status)
    failed = [{"error": result.error, "name": result.name} for result in results if result.error]
    names = [result.name for result in results if not result.error]
    content: dict[str, object] = {"failed": failed} if failed else {}
    content |= {"files": names, "status": "partial" if failed else "ok", "uploaded": len(names)}
    return GoJSONResponse(content, 207 if failed else 200)


class Vertex(Resource):
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
        return [ExactRoute(f"{PREFIX}/vertex/import", self.store, ["POST"])]


async def _parts(request: Request) -> list[Part]:
    kind = request.headers.get("content-type", "")
    try:
        return parts_of(kind, await request.body()) if is_form(kind) else []
    except BodyUnreadable:
        return []


def _value(parts: list[Part], name: str) -> str:
    values = (part.content for part in parts if part.name == name and part.file_name is None)
    return next(values, b"").decode("utf-8", "replace").strip()
