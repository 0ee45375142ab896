"""The page and its files."""

from http import HTTPStatus
from posixpath import dirname, relpath
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route

from adapter.contract.expectations import PAGE, PAGE_FILES, PAGE_TEXTS, PREFIX, own_root
from extension.api.auth.key_fingerprint import NO_KEY, KeyFingerprint
from extension.api.auth.refusals import no_management
from extension.api.problems import FORESEEN, problem_of
from extension.console import PAGE as DOCUMENT
from extension.console import STATIC
from extension.console.pages import page_names
from extension.serving.web.missing_page import missing_page, wants_page
from extension.serving.web.page_document import PageDocument
from extension.serving.web.page_files import PageFiles
from extension.serving.web.static_files import MEDIA_TYPES, REVALIDATE, DigestedFiles, PlainFiles
from extension.texts import CATALOGUES

_KEYED: Final = '<meta name="poolkeeper-session" content="key">'
_ROOT: Final = PAGE.rpartition("/")[0]
_TEXTS_NAME: Final = relpath(PAGE_TEXTS, PAGE_FILES)
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
    the management key with each request and have no session; their host knows each file by its plain address alone.
    """
    mark = _paths_mark(prefix, page) + (_KEYED if keyed else "")
    text = DOCUMENT.read_text(encoding="utf-8").replace(_paths_mark(PREFIX), mark, 1)
    files = PageFiles({"": STATIC, _TEXTS_NAME: CATALOGUES})
    pages = _Pages(PageDocument(text, files, digested=not keyed), key_fingerprint, frozenset(page_names()))
    texts = PlainFiles(directory=CATALOGUES)
    return Starlette(
        routes=[
            *(Route(path, pages.enter, methods=["GET"]) for path in (_ROOT, f"{_ROOT}/")),
            Route(f"{_ROOT}/{{name}}", pages.answer, methods=["GET"]),
            Mount(PAGE_TEXTS, texts),
            Mount(PAGE_FILES, DigestedFiles(STATIC, files, texts, _TEXTS_NAME)),
        ],
        exception_handlers=dict.fromkeys(FORESEEN, _problem),
    )


class _Pages:
    """The pages by name; browsers keep each and ask whether it changed."""

    def __init__(self, document: PageDocument, key_fingerprint: KeyFingerprint, names: frozenset[str]) -> None:
        self._document = document
        self._standing = key_fingerprint
        self._names = names

    async def answer(self, request: Request) -> Response:
        """Answer the document: 304 when it is unchanged, 404 when no page has the name.

        Without a management key the gateway has no management path, and this one answers like every other.
        """
        await self._require_key()
        name = request.path_params["name"]
        if name not in self._names:
            return Response(self._document.body(None).content, status_code=404, media_type=MEDIA_TYPES[".html"])
        body = self._document.body(name)
        headers = {"ETag": body.tag, "Cache-Control": REVALIDATE}
        if request.headers.get("If-None-Match") == body.tag:
            return Response(status_code=304, headers=headers)
        return Response(body.content, headers=headers, media_type=MEDIA_TYPES[".html"])

    async def enter(self, request: Request) -> Response:
        """Redirect from the bare address, relative to it, so that it works below any prefix."""
        await self._require_key()
        name = next(name for name in _ENTRIES if name in self._names)
        here = "" if request.url.path.endswith("/") else f"{_ROOT.rpartition('/')[2]}/"
        return RedirectResponse(f"{here}{name}", status_code=302)

    async def _require_key(self) -> None:
        if await self._standing.now() == NO_KEY:
            raise no_management()


async def _problem(request: Request, error: Exception) -> Response:
    is_missing = isinstance(error, HTTPException) and error.status_code == HTTPStatus.NOT_FOUND
    if is_missing and wants_page(request):
        return missing_page(request, _ROOT, _ENTRIES[-1])
    return problem_of(error).answer()


def _paths_mark(prefix: str, page: str = PAGE) -> str:
    """Spell the element with the address of the own paths; the setting's pattern keeps it free of markup."""
    return f'<meta name="poolkeeper-paths" content="{relpath(own_root(prefix), dirname(page))}/">'
