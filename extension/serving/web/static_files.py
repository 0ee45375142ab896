"""Serves the files of the pages: kept for good below a digest of their content, revalidated at plain addresses."""

import os
import re
from pathlib import PurePath
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from extension.serving.web.page_files import PageFiles

MEDIA_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
"""Media types by suffix: the system's own table is not relied on, as a wrong one stops scripts from running."""
REVALIDATE: Final = "no-cache"
_FOR_GOOD: Final = "public, max-age=31536000, immutable"
_DIGEST: Final = re.compile(r"([0-9a-f]{32})[/\\](.+)")


class PlainFiles(StaticFiles):
    """Files as they are, with media types of our own table; a file of any other kind is not served."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Answer one file."""
        media_type = MEDIA_TYPES.get(PurePath(full_path).suffix)
        if media_type is None:
            raise HTTPException(status_code=404)
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["Cache-Control"] = REVALIDATE
        if "content-type" in response.headers:
            response.headers["Content-Type"] = media_type
        return response


class DigestedFiles(PlainFiles):
    """Files that browsers keep for good below the digest of their content.

    An outdated digest is that of a page that was open when the service was renewed. Modules such a page has not loaded
    yet are answered as they are now, to be revalidated, like those of a plain address.
    """

    def __init__(self, directory: os.PathLike[str], files: PageFiles, texts: StaticFiles, texts_name: str) -> None:
        super().__init__(directory=directory)
        self._files = files
        self._texts = texts
        self._texts_prefix = f"{texts_name}{os.sep}"

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answer one file by its path below the folder, with or without a digest before it."""
        match = _DIGEST.fullmatch(path)
        if match is None or scope["method"] not in {"GET", "HEAD"}:
            return await super().get_response(path, scope)
        digest, rest = match.groups()
        held = self._files.held
        content = held.files.get(rest.replace(os.sep, "/")) if digest == held.digest else None
        if content is not None:
            headers = {"Cache-Control": _FOR_GOOD, "Content-Type": MEDIA_TYPES[PurePath(rest).suffix]}
            return Response(content, headers=headers)
        if rest.startswith(self._texts_prefix):
            return await self._texts.get_response(rest.removeprefix(self._texts_prefix), scope)
        return await super().get_response(rest, scope)
