"""The HTML document of all pages, with the addresses of its files."""

import hashlib
from dataclasses import dataclass
from typing import Final

from extension.serving.web.page_files import Content, PageFiles

_PLAIN: Final = '"static/'
_APPLICATION: Final = "app.js"
_SCRIPT: Final = f'<script type="module" src={_PLAIN}{_APPLICATION}"></script>'
_TAG_CHARACTERS: Final = 32


@dataclass(frozen=True, slots=True)
class Body:
    """Bytes of a document with their entity tag."""

    content: bytes
    tag: str


class PageDocument:
    """One text for every page, which differs in the modules that the browser is asked to load beforehand.

    A browser finds the imports of a module only after that module has arrived, and the chain is ten modules deep: the
    list replaces these rounds by one.
    """

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
        entries = [_APPLICATION] if page is None else [_APPLICATION, f"pages/{page}/page.js"]
        links = [f'<link rel="modulepreload" href={_PLAIN}{name}">' for name in content.modules(*entries)]
        text = self._text.replace(_SCRIPT, "\n  ".join([*links, _SCRIPT]), 1)
        return text.replace(_PLAIN, f"{_PLAIN}{content.digest}/") if self._digested else text
