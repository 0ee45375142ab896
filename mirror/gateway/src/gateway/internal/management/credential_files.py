"""``/v0/management/auth-files``: uploading, downloading and editing the files themselves."""

import re
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gateway.internal.management.answers import done
from gateway.internal.management.forms import is_form, parts_of
from gateway.internal.management.gate import PREFIX
from gateway.internal.management.gojson import BodyUnreadable, GoJSONResponse, parse_json
from gateway.internal.management.routing import ExactRoute
from gateway.internal.operations.file_fields import patch_fields
from gateway.internal.operations.models import list_models
from gateway.internal.operations.uploading import (
    Upload,
    UploadResult,
    checked_name,
    read_credential_file,
    upload_files,
)
from gateway.internal.runtime import Runtime

_PATH = f"{PREFIX}/auth-files"


class CredentialFiles:
    """Answers the paths about the content of credential files."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def upload(self, request: Request) -> Response:
        """Store one file from the body, or the files of a form."""
        kind = request.headers.get("content-type", "")
        if is_form(kind):
            uploads = files_in_form(kind, await request.body())
            return upload_answer(await upload_files(self._runtime, uploads))
        name = checked_name(request.query_params.get("name", ""))
        return upload_answer(await upload_files(self._runtime, [Upload(name, await request.body())]))

    async def download(self, request: Request) -> Response:
        """Return a file as it stands on disk."""
        name = request.query_params.get("name", "").strip()
        content = await read_credential_file(self._runtime, name)
        shown = re.sub("[\r\n]", " ", name).replace("\\", "\\\\").replace('"', '\\"')
        disposition = f'attachment; filename="{shown}"'.encode("utf-8", "replace").decode("latin-1")
        return Response(content, headers={"content-type": "application/json", "content-disposition": disposition})

    async def fields(self, request: Request) -> Response:
        """Change single fields of a file."""
        document = parse_json(await request.body(), "invalid request body")
        if not isinstance(document, dict):
            raise BodyUnreadable("invalid request body")
        name = document.pop("name", None)
        if not isinstance(name, str) or not name.strip():
            raise BodyUnreadable("name is required")
        return await done(patch_fields(self._runtime, name.strip(), document))

    async def models(self, request: Request) -> Response:
        """Return the models a credential serves, of a configured key too; none for one that is switched off."""
        name = request.query_params.get("name", "")
        if not name:
            raise BodyUnreadable("name is required")
        return GoJSONResponse({"models": list_models(self._runtime, name)})

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes of this resource."""
        return [
            ExactRoute(_PATH, self.upload, ["POST"]),
            ExactRoute(f"{_PATH}/models", self.models, ["GET"]),
            ExactRoute(f"{_PATH}/download", self.download, ["GET"]),
            ExactRoute(f"{_PATH}/fields", self.fields, ["PATCH"]),
        ]


def files_in_form(content_type: str, body: bytes) -> list[Upload]:
    """Return the files of a multipart form, in the order of their field names.

    Raises:
        BodyUnreadable: It is not a form, or one without files.
    """
    parts = parts_of(content_type, body)
    files = [(part.name, Upload(part.file_name, part.content)) for part in parts if part.file_name is not None]
    if not files:
        raise BodyUnreadable("no files uploaded")
    return [upload for _, upload in sorted(files, key=lambda pair: pair[0])]


def upload_answer(results: Sequence[UploadResult]) -> Response:
    """Write what became of the files: 207 when there were several and some of them are not stored."""
    if len(results) == 1:
        (only,) = results
        return GoJSONResponse({"error": only.error} if only.error else {"status": "ok"}, only.status)
    failed = [{"error": result.error, "name": result.name} for result in results if result.error]
    names = [result.name for result in results if not result.error]
    content: dict[str, object] = {"failed": failed} if failed else {}
    content |= {"files": names, "status": "partial" if failed else "ok", "uploaded": len(names)}
    return GoJSONResponse(content, 207 if failed else 200)
