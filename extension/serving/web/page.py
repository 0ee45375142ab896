"""The page and its files."""

import hashlib
import os
from pathlib import PurePath
from posixpath import dirname, relpath
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from adapter.contract.expectations import PAGE, PAGE_FILES, PAGE_TEXTS, PREFIX, own_root
from extension.api.auth.authenticator import no_management
from extension.api.auth.key_fingerprint import NO_KEY, KeyFingerprint
from extension.api.problems import FORESEEN, problem_of
from extension.console import PAGE as DOCUMENT
from extension.console import STATIC
from extension.console.pages import page_names
from extension.texts import CATALOGUES

_TYPES: Final = {
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
_REVALIDATE: Final = "no-cache"
_KEYED: Final = '<meta name="poolkeeper-session" content="key">'
_ROOT: Final = PAGE.rpartition("/")[0]
_ENTRIES: Final = ("overview", PAGE.rpartition("/")[2])
"""Pages that the bare address leads to; the first that exists is taken."""


def claims_page(path: str) -> bool:
    """Return whether a path is a page or one of the files of the pages."""
    return path == _ROOT or path.startswith(f"{_ROOT}/")


def page_application(
    prefix: str, key_fingerprint: KeyFingerprint, *, page: str = PAGE, keyed: bool = False
) -> Starlette:
    """Make the application that serves the pages, with the address of the service's own paths in them.

    All pages are one document, which shows the page that its address names. Like every management path, they exist only
    when the gateway has a management key. `page` is the path under which browsers know one of them. `keyed` pages send
    the management key with each request and have no session.
    """
    mark = _paths_mark(prefix, page) + (_KEYED if keyed else "")
    document = DOCUMENT.read_text(encoding="utf-8").replace(_paths_mark(PREFIX), mark, 1)
    names = frozenset(page_names())
    pages = _Document(document, key_fingerprint, names)
    return Starlette(
        routes=[
            *(Route(path, pages.enter, methods=["GET"]) for path in (_ROOT, f"{_ROOT}/")),
            Route(f"{_ROOT}/{{name}}", pages.answer, methods=["GET"]),
            Mount(PAGE_TEXTS, _Files(directory=CATALOGUES)),
            Mount(PAGE_FILES, _Files(directory=STATIC)),
        ],
        exception_handlers=dict.fromkeys(FORESEEN, _problem),
    )


class _Document:
    """The HTML document of all pages; browsers keep it and ask whether it changed."""

    def __init__(self, text: str, key_fingerprint: KeyFingerprint, names: frozenset[str]) -> None:
        self._standing = key_fingerprint
        self._names = names
        self._body = text.encode("utf-8")
        self._tag = f'"{hashlib.sha256(self._body).hexdigest()[:32]}"'

    async def answer(self, request: Request) -> Response:
        """Answer the document: 304 when it is unchanged, 404 when no page has the name.

        Without a management key the gateway has no management path, and this one answers like every other.
        """
        await self._require_key()
        if request.path_params["name"] not in self._names:
            return Response(self._body, status_code=404, media_type=_TYPES[".html"])
        headers = {"ETag": self._tag, "Cache-Control": _REVALIDATE}
        if request.headers.get("If-None-Match") == self._tag:
            return Response(status_code=304, headers=headers)
        return Response(self._body, headers=headers, media_type=_TYPES[".html"])

    async def enter(self, request: Request) -> Response:
        """Redirect from the bare address, relative to it, so that it works below any prefix."""
        await self._require_key()
        name = next(name for name in _ENTRIES if name in self._names)
        here = "" if request.url.path.endswith("/") else f"{_ROOT.rpartition('/')[2]}/"
        return RedirectResponse(f"{here}{name}", status_code=302)

    async def _require_key(self) -> None:
        if await self._standing.now() == NO_KEY:
            raise no_management()


class _Files(StaticFiles):
    """Files as they are, with media types of our own table; a file of any other kind is not served."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Answer one file."""
        media_type = _TYPES.get(PurePath(full_path).suffix)
        if media_type is None:
            raise HTTPException(status_code=404)
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["Cache-Control"] = _REVALIDATE
        if "content-type" in response.headers:
            response.headers["Content-Type"] = media_type
        return response


async def _problem(_request: Request, error: Exception) -> Response:
    return problem_of(error).answer()


def _paths_mark(prefix: str, page: str = PAGE) -> str:
    """Spell the element with the address of the own paths; the setting's pattern keeps it free of markup."""
    return f'<meta name="poolkeeper-paths" content="{relpath(own_root(prefix), dirname(page))}/">'
