"""The pages: one HTML document with the addresses of its files, and a page for an address that no page has."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from http import HTTPStatus
from posixpath import dirname, relpath
from typing import Final
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from adapter.contract.expectations import PAGE, PAGE_FILES, PREFIX, own_root
from extension.api.auth.key_fingerprint import NO_KEY, KeyFingerprint
from extension.api.auth.refusals import no_management
from extension.api.problems import FORESEEN, problem_of
from extension.console import BUILT, BUILT_PAGE, STATIC
from extension.console.pages import page_names
from extension.serving.web.page_files import MEDIA_TYPES, REVALIDATE, Content, DigestedFiles, PageFiles, PlainFiles
from extension.texts.catalogue import REFERENCE, catalogue, languages

_PLAIN: Final = '"static/'
_SCRIPT: Final = f'<script src={_PLAIN}app/app.js" defer></script>'
_NOT_BUILT: Final = "<!doctype html><title>Poolkeeper</title><p>The console is not built. Run: make console</p>"
_TAG_CHARACTERS: Final = 32


@dataclass(frozen=True, slots=True)
class Body:
    """Bytes of a document with their entity tag."""

    content: bytes
    tag: str


class PageDocument:
    """One text for every page, which differs in the modules that the browser is asked to load beforehand."""

    def __init__(self, text: str, files: PageFiles, *, digested: bool) -> None:
        self._text = text
        self._files = files
        self._digested = digested
        self._digest = ""
        self._bodies: dict[str | None, Body] = {}

    def body(self, page: str | None) -> Body:
        """Return the document of a page, or of no page, with the files of the moment."""
        content = self._files.newest()
        if content.digest != self._digest:
            self._digest, self._bodies = content.digest, {}
        if page not in self._bodies:
            written = self._written(content, page).encode("utf-8")
            self._bodies[page] = Body(written, f'"{hashlib.sha256(written).hexdigest()[:_TAG_CHARACTERS]}"')
        return self._bodies[page]

    def _written(self, content: Content, page: str | None) -> str:
        names = ["app/shared.js", *(() if page is None else (f"app/{page}.js",))]
        text = self._text.replace(_SCRIPT, _preloading(names, _SCRIPT), 1)
        return text.replace(_PLAIN, f"{_PLAIN}{content.digest}/") if self._digested else text


def _preloading(names: Iterable[str], script: str) -> str:
    """Return the element of a script behind those that have its modules loaded beforehand."""
    links = [f'<link rel="modulepreload" href={_PLAIN}{name}">' for name in names]
    return "\n  ".join([*links, script])


def built_text() -> str:
    """Return the built document, or one that says how to build it."""
    return BUILT_PAGE.read_text(encoding="utf-8") if BUILT_PAGE.is_file() else _NOT_BUILT


_DOCUMENT: Final = """\
<!doctype html>
<html lang="{language}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="referrer" content="no-referrer">
  <title>{title} · Poolkeeper</title>
  <link rel="icon" href="{up}static/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="{up}static/app/app.css">
</head>
<body>
  <main class="sign-in">
    <div class="card sign-in-form">
      <h1>{title}</h1>
      <p><a href="{up}{page}">{back}</a></p>
    </div>
  </main>
</body>
</html>
"""


def wants_page(request: Request) -> bool:
    """Return whether a browser opens the address, rather than a program that reads it."""
    return request.method == "GET" and "text/html" in request.headers.get("Accept", "")


def missing_page(request: Request, root: str, page: str) -> HTMLResponse:
    """Answer 404 with a link to `page` below `root`, relative to the address as the browser spells it."""
    texts = catalogue(_language(request.headers.get("Accept-Language", "")))
    up = "../" * (_spelled_path(request).count("/") - root.count("/") - 1)
    words = {"title": texts.text("shell.not_found"), "back": texts.text("shell.to_inspection")}
    plain = {name: escape(word) for name, word in words.items()}
    written = _DOCUMENT.format(language=texts.language, up=up, page=page, **plain)
    return HTMLResponse(written, status_code=404)


def _spelled_path(request: Request) -> str:
    """Return the path as the browser spells it: to the browser `%2f` is no slash, and no step of a relative address."""
    raw: bytes = request.scope.get("raw_path") or b""
    spelled = raw.partition(b"?")[0].decode("latin-1")
    return spelled if unquote(spelled) == request.scope["path"] else request.url.path


def _language(accepted: str) -> str:
    """Return the first language of a browser that has a catalogue, or English."""
    for preference in accepted.split(","):
        tag = preference.partition(";")[0].strip().lower().partition("-")[0]
        match = next((language for language in languages() if language.lower().partition("-")[0] == tag), None)
        if match is not None:
            return match
    return REFERENCE


_KEYED: Final = '<meta name="poolkeeper-session" content="key">'
_ROOT: Final = PAGE.rpartition("/")[0]
_BUILT_NAME: Final = "app"
_LEAST_COMPRESSED: Final = 1_000
"""Bytes from which on a file is compressed."""
_ENTRY: Final = "overview"
"""Page that the bare address leads to."""


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
    text = built_text().replace(_paths_mark(PREFIX), mark, 1)
    files = PageFiles({"": STATIC, _BUILT_NAME: BUILT})
    pages = _Pages(PageDocument(text, files, digested=not keyed), key_fingerprint)
    others = {_BUILT_NAME: PlainFiles(directory=BUILT, check_dir=False)}
    static: ASGIApp = DigestedFiles(STATIC, files, others)
    application = Starlette(
        routes=[
            *(Route(path, pages.enter, methods=["GET"]) for path in (_ROOT, f"{_ROOT}/")),
            Route(f"{_ROOT}/{{name}}", pages.answer, methods=["GET"]),
            Route(f"{_ROOT}/{{name}}/", pages.enter_page, methods=["GET"]),
            *(Mount(f"{PAGE_FILES}/{name}", _compressed(folder, keyed=keyed)) for name, folder in others.items()),
            Mount(PAGE_FILES, _compressed(static, keyed=keyed)),
        ],
        exception_handlers=dict.fromkeys(FORESEEN, _problem),
    )
    # The library's redirect would name the host of the request, which anybody can choose.
    application.router.redirect_slashes = False
    return application


class _Pages:
    """The pages by name; browsers keep each and ask whether it changed."""

    def __init__(self, document: PageDocument, key_fingerprint: KeyFingerprint) -> None:
        self._document = document
        self._names = page_names()
        self._key_fingerprint = key_fingerprint

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
        prefix = "" if request.url.path.endswith("/") else f"{_ROOT.rpartition('/')[2]}/"
        return RedirectResponse(f"{prefix}{_ENTRY}", status_code=302)

    async def enter_page(self, request: Request) -> Response:
        """Redirect from the address of a page with a slash behind it, relative to it; 404 when no page has the name."""
        name = request.path_params["name"]
        if name not in self._names:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        await self._require_key()
        return RedirectResponse(f"../{name}", status_code=302)

    async def _require_key(self) -> None:
        if await self._key_fingerprint.now() == NO_KEY:
            raise no_management()


def _compressed(application: ASGIApp, *, keyed: bool) -> ASGIApp:
    """Compress files that hold no secret; the host of a plugin passes answers on as they are."""
    return application if keyed else GZipMiddleware(application, minimum_size=_LEAST_COMPRESSED)


async def _problem(request: Request, error: Exception) -> Response:
    is_missing = isinstance(error, HTTPException) and error.status_code == HTTPStatus.NOT_FOUND
    if is_missing and wants_page(request):
        return missing_page(request, _ROOT, PAGE.rpartition("/")[2])
    return problem_of(error).answer()


def _paths_mark(prefix: str, page: str = PAGE) -> str:
    """Spell the element with the address of the own paths; the setting's pattern keeps it free of markup."""
    return f'<meta name="poolkeeper-paths" content="{relpath(own_root(prefix), dirname(page))}/">'
