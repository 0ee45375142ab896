"""Page for an address that no page has, in the language of the browser, with a way back.

It stands by itself: the document of the pages knows only addresses directly below their root.
"""

from html import escape
from typing import Final
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import HTMLResponse

from extension.texts.catalogue import REFERENCE, catalogue, languages

_STYLES: Final = ("tokens", "base", "controls", "panels")
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
{styles}
</head>
<body>
  <main class="sign-in">
    <section class="panel">
      <h1>{title}</h1>
      <p><a href="{up}{page}">{back}</a></p>
    </section>
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
    styles = "\n".join(f'  <link rel="stylesheet" href="{up}static/styles/{name}.css">' for name in _STYLES)
    words = {"title": texts.text("shell.not_found"), "back": texts.text("shell.to_inspection")}
    plain = {name: escape(word) for name, word in words.items()}
    written = _DOCUMENT.format(language=texts.language, up=up, page=page, styles=styles, **plain)
    return HTMLResponse(written, status_code=404)


def _spelled_path(request: Request) -> str:
    """Return the path as the browser spells it: to the browser `%2f` is no slash, and no step of a relative address."""
    raw: bytes = request.scope.get("raw_path") or b""
    spelled = raw.partition(b"?")[0].decode("latin-1")
    return spelled if unquote(spelled) == request.scope["path"] else request.url.path


def _language(accepted: str) -> str:
    """Return the first language of a browser that has a catalogue, or English."""
    for wanted in accepted.split(","):
        tag = wanted.partition(";")[0].strip().lower().partition("-")[0]
        found = next((each for each in languages() if each.lower().partition("-")[0] == tag), None)
        if found is not None:
            return found
    return REFERENCE
