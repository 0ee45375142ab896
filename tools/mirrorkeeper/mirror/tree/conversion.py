"""Working files that git itself made of the pinned ones: line endings, `$Id$`, an encoding; large files of pointers.

Configured filters are left out: git, not the tools, would have to call them to know their result.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ...declaration.declaration import Declaration
from ...git.command import Git
from ...git.isolation import as_environment
from ...git.objects import FILE, PROGRAM, Row, object_id
from ...git.tree_diff import Rows
from ...project import Project
from .listing import read_objects, sizes_of

CONVERTED, LARGE = "MIR007", "MIR016"

_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n(?:ext-[^\n]*\n)*oid sha256:([0-9a-f]{64})\nsize ([0-9]+)\n"
)
_POINTER_AT_MOST = 1024  # what the format allows


class _Settings(NamedTuple):
    """Options and variables for one question to git."""

    options: tuple[str, ...]
    environment: dict[str, str]


class Conversion:
    """Git's own conversions for the files of one mirror."""

    def __init__(self, project: Project, declaration: Declaration) -> None:
        """Take the project; git is asked as late as possible, since a clean mirror never needs the answer."""
        self._project = project
        # Git takes a list of names, and a path for filters, from the top of the repository only.
        self._git = Git(project.top)
        self._top = os.fsencode(project.prefix or "") + declaration.path.encode()

    def codes(self, wanted: Rows, paths: Iterable[bytes]) -> Iterator[tuple[bytes, str]]:
        """Yield those of these changed files that are the pinned ones converted, each with the code of its note."""
        rows = [row for path in paths if b"\n" not in path and (row := wanted.by_path[path]).mode in (FILE, PROGRAM)]
        if not rows or self._project.prefix is None:
            return
        settings = self._settings(line_ending_setting(self._project))
        others = []
        for row, stored in zip(rows, self._stored([row.path for row in rows], settings), strict=True):
            if self._is_converted(row, stored, settings):
                yield row.path, CONVERTED
            else:
                others.append(row)
        for row, pointer in _pointers(self._project.git, others):
            content = self._content(row.path)
            if (hashlib.sha256(content).hexdigest().encode(), b"%d" % len(content)) == pointer:
                yield row.path, LARGE

    def never_clean(self, rows: Rows) -> list[bytes]:
        """Return the pinned files git would not store as they are, by the attributes of the mirrored tree itself."""
        asked = [
            row
            for path, row in rows.by_path.items()
            if row.mode in (FILE, PROGRAM) and b"\n" not in path and self._is_file(path)
        ]
        if not asked or self._project.prefix is None:
            return []
        settings = self._settings("")
        stored = self._stored([row.path for row in asked], settings)
        return [
            row.path
            for row, other in zip(asked, stored, strict=True)
            if other != row.oid == object_id("blob", self._content(row.path), self._project.object_format)
        ]

    def _is_converted(self, row: Row, stored: str, settings: _Settings) -> bool:
        content = self._content(row.path)
        if stored == row.oid == object_id("blob", _plain(content, row.oid), self._project.object_format):
            return True
        # What git would store says nothing about what else it overlooks; what it writes is exact.
        if stored != row.oid and b"\r\n" not in content:
            return False
        path = os.fsdecode(self._top + b"/" + row.path)
        command = (*settings.options, "cat-file", "--filters", f"--path={path}", row.oid)
        written = self._git.run(*command, check=False, environment=settings.environment)
        return written.status == 0 and written.stdout == content

    def _stored(self, paths: Sequence[bytes], settings: _Settings) -> list[str]:
        """The ids git would store these working files under."""
        names = b"".join(self._top + b"/" + path + b"\n" for path in paths)
        command = (*settings.options, "hash-object", "--stdin-paths")
        return self._git.run(*command, stdin=names, environment=settings.environment).text.splitlines()

    def _settings(self, autocrlf: str) -> _Settings:
        """Disable configured filters and refusals for one answer, with this rule for line endings."""
        git = self._project.git
        listed = git.run("config", "-z", "--name-only", "--get-regexp", r"^filter\.", check=False).stdout
        names = listed.decode("utf-8", "surrogateescape").split("\0")[:-1]
        drivers = sorted({name.rpartition(".")[0] for name in names})
        off = [(f"{one}.{key}", "") for one in drivers for key in ("clean", "smudge", "process")]
        off += [(f"{one}.required", "false") for one in drivers]
        options = ("-c", f"core.autocrlf={autocrlf or 'false'}")
        return _Settings(options, as_environment(("core.safecrlf", "false"), *off))

    def _content(self, path: bytes) -> bytes:
        with open(self._place(path), "rb") as file:  # noqa: PTH123 - the path is bytes, which Path does not take
            return file.read()

    def _is_file(self, path: bytes) -> bool:
        place = self._place(path)
        return os.path.isfile(place) and not os.path.islink(place)  # noqa: PTH113, PTH114 - the path is bytes

    def _place(self, path: bytes) -> bytes:
        return os.fsencode(self._project.top) + b"/" + self._top + b"/" + path


def line_ending_setting(project: Project) -> str:
    """Return the user's or the repository's rule for line endings of every file; empty for none."""
    command = ("config", "--show-scope", "--get-all", "core.autocrlf")
    listed = project.git.run(*command, check=False, network=True).text.splitlines()
    values = [value for scope, _, value in (line.partition("\t") for line in listed) if scope != "command"]
    return values[-1] if values and values[-1].casefold() not in ("false", "no", "off", "0") else ""


def _plain(content: bytes, oid: str) -> bytes:
    """The content with git's line endings, and without the id that `ident` writes; pure."""
    return content.replace(b"\r\n", b"\n").replace(b"$Id: %s $" % oid.encode(), b"$Id$")


def _pointers(git: Git, rows: Sequence[Row]) -> Iterator[tuple[Row, tuple[bytes, bytes]]]:
    """Yield those of the pinned files that stand for a large one, with its SHA-256 and size."""
    sizes = sizes_of(git, [row.oid for row in rows]) if rows else {}
    small = [row for row in rows if 0 < sizes.get(row.oid, 0) <= _POINTER_AT_MOST]
    for row, content in zip(small, read_objects(git, [row.oid for row in small]) if small else [], strict=True):
        match = _POINTER.fullmatch(content)
        if match is not None:
            yield row, (match[1], match[2])
