"""The files of the pages as one content with one digest, and the modules that a page loads.

Theory of operation: the digest names the content of all files together, catalogues included, because modules refer to
each other by relative addresses: one changed file is another address for all of them. The content is held in memory, so
that an address with a digest answers what the digest names, also after the files on the disk were replaced.
"""

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

_DIGEST_CHARACTERS: Final = 32
_SUFFIXES: Final = frozenset({".css", ".js", ".json", ".svg"})
_IMPORT: Final = re.compile(r"^(?:import|export)\s*(?:[\w{*][^;\"]*?\bfrom\s*)?\"(\.[^\"]+)\"", re.MULTILINE)
"""A static import or a re-export of a relative module; documentation comments and `import()` do not begin a line."""

_Signature = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class Content:
    """Bytes of all files by name, and their digest."""

    digest: str
    files: Mapping[str, bytes]

    def modules(self, *entries: str) -> tuple[str, ...]:
        """Return the names of entries and of every module they import, directly or not, importers first."""
        found: dict[str, None] = {}
        waiting = list(entries)
        for name in waiting:
            if name in found or name not in self.files:
                continue
            found[name] = None
            imports = _IMPORT.findall(self.files[name].decode("utf-8"))
            waiting += [normpath(join(dirname(name), relative)) for relative in imports]
        return tuple(found)


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
