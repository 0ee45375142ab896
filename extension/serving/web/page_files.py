"""The files of the pages as one content with one digest.

Theory of operation: the digest names the content of all files together, texts included, because modules refer to
each other by relative addresses: one changed file is another address for all of them. The content is held in memory, so
that an address with a digest answers what the digest names, also after the files on the disk were replaced. Browsers
keep files for good below a digest, and ask whether they changed at plain addresses.
"""

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from posixpath import join, normpath
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

_DIGEST_CHARACTERS: Final = 32
_SUFFIXES: Final = frozenset({".css", ".js", ".json", ".svg"})

_Signature = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class Content:
    """Bytes of all files by name, and their digest."""

    digest: str
    files: Mapping[str, bytes]


class PageFiles:
    """Content of folders by the name they are served as, read again when a file of theirs has changed."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._folders = folders
        self._signature: _Signature = ()
        self._content = Content("", {})

    def newest(self) -> Content:
        """Return the content of the moment."""
        signature = tuple(sorted(self._stated()))
        if signature != self._signature:
            self._content, self._signature = self._read(), signature
        return self._content

    @property
    def held(self) -> Content:
        """Content as last read, without a look at the disk."""
        return self._content

    def _read(self) -> Content:
        files = {name: path.read_bytes() for name, path in sorted(self._found())}
        total = hashlib.sha256()
        for name, content in files.items():
            total.update(f"{name}\0{hashlib.sha256(content).hexdigest()}\n".encode())
        return Content(total.hexdigest()[:_DIGEST_CHARACTERS], files)

    def _stated(self) -> Iterator[tuple[str, int, int]]:
        for name, path in self._found():
            state = path.stat()
            yield name, state.st_size, state.st_mtime_ns

    def _found(self) -> Iterator[tuple[str, Path]]:
        for served_as, folder in self._folders.items():
            for place, _, names in os.walk(folder):
                for name in names:
                    path = Path(place, name)
                    if path.suffix in _SUFFIXES:
                        yield normpath(join(served_as, path.relative_to(folder).as_posix())), path


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

    def __init__(self, directory: os.PathLike[str], files: PageFiles, others: Mapping[str, StaticFiles]) -> None:
        """`others` are folders by the name they are served as below this one."""
        super().__init__(directory=directory)
        self._files = files
        self._others = {f"{name}{os.sep}": folder for name, folder in others.items()}

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answer one file by its path below the folder, with or without a digest before it."""
        match = _DIGEST.fullmatch(path)
        if match is None or scope["method"] not in {"GET", "HEAD"}:
            return await super().get_response(path, scope)
        digest, rest = match.groups()
        current = self._files.held
        content = current.files.get(rest.replace(os.sep, "/")) if digest == current.digest else None
        if content is not None:
            headers = {"Cache-Control": _FOR_GOOD, "Content-Type": MEDIA_TYPES[PurePath(rest).suffix]}
            return Response(content, headers=headers)
        for prefix, folder in self._others.items():
            if rest.startswith(prefix):
                return await folder.get_response(rest.removeprefix(prefix), scope)
        return await super().get_response(rest, scope)
