"""Files the boundary judges: all Python of the project, tracked or new, except what is listed. Deny by default."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ..declaration.boundary import BoundaryDeclaration
from ..declaration.declaration import Declaration
from ..findings import Finding
from ..git.named_objects import read_named
from ..modules import Module, TooLargeError, UnreadError, readable, source_of, too_large, unreadable
from ..project import Project
from ..system.regular_file import open_regular_file
from ..text import raw_path
from .containers import CONTAINERS

_SUFFIXES = frozenset((".py", ".pyi", ".pyw", ".py3", ".pyt", ".wsgi", ".tac"))
_NAMES = frozenset(("sconstruct", "sconscript", "wscript"))
_TEXT_SUFFIXES, _TEXTS = frozenset((".md", ".rst", ".txt")), ("LICENSE", "COPYING", "NOTICE", "README", "AUTHORS")
PIPE = "is a pipe, socket or device, and was not read"
"""The message of something that is no file and would be waited for."""
_SHEBANG_AT_MOST = 200
_UNOPENED = re.compile(r"^warning: could not open directory '(.*)/': ", re.MULTILINE)
# An interpreter of Python, a runner of its scripts, or a shell that hands the file on to one in its second line.
_RUNS_PYTHON = re.compile(rb"#![^\n]*(?:python|pypy|\buv\b|\bpipx\b)|#![^\n]*\n'''exec' ")


Read = Callable[[Path, str], Module | None]
"""Reads a file, given as its path and as it is shown; None when it is none of the language.

It may raise an OSError, a TooLargeError or an UnreadError, each of which is a finding about that file.
"""


def judged_modules(
    project: Project, declaration: Declaration, rules: BoundaryDeclaration, read: Read | None = None
) -> tuple[list[Module], list[Finding]]:
    """Read every judged file; return the modules, and a finding for each link that leads into the mirrored folder.

    Files of Python are read, or those of `read`. A link to files that are judged where they lie adds none; what a
    sparse checkout or a flag of the index leaves out of the working files is read from the index. A file that cannot
    be read, or that something else stands in the place of, is a finding: opening a pipe would wait for ever.
    """
    listed, left_out, closed = _listed(project)
    own = {shown for shown in listed if not _is_below(shown, declaration.path) and not rules.exempts(shown)}
    mirror = Path(os.path.realpath(project.root / declaration.path))
    unopened = [one for one in closed if not _is_below(one, declaration.path) and not rules.exempts(one)]
    search = _JudgedFiles(project, mirror, own, read or _module, [_closed(one) for one in unopened])
    modules = [module for shown in listed if shown in own for module in search.modules(shown)]
    if read is None:
        modules.extend(_of_index(project, [shown for shown in left_out if shown in own]))
    return modules, search.findings


class _JudgedFiles(NamedTuple):
    """Reading of the judged files one by one; findings about files themselves are gathered beside.

    Attributes:
        project: where they lie.
        mirror: the real place of the mirrored folder.
        own: paths of all judged files.
        read: the reader of one.
        findings: those of links and of files that were not read.
    """

    project: Project
    mirror: Path
    own: Collection[str]
    read: Read
    findings: list[Finding]

    def modules(self, shown: str) -> Iterator[Module]:
        """Yield what is read at a path: its file, or those that a link there leads to."""
        try:
            yield from self._read_at(self.project.root / shown, shown)
        except (FileNotFoundError, NotADirectoryError):  # deleted, and git does not know it yet
            return
        except OSError as error:
            self.findings.append(unreadable(shown, error).finding(shown))

    def _read_at(self, path: Path, shown: str) -> Iterator[Module]:
        mode = os.lstat(path).st_mode
        if stat.S_ISREG(mode):
            yield from self._taken(path, shown)
        elif stat.S_ISLNK(mode) and path.is_file() and _is_text(path) and _is_text(Path(os.path.realpath(path))):
            return
        elif stat.S_ISLNK(mode) and (said := _leads_to(Path(os.path.realpath(path)), self.mirror)):
            fix = "remove the link, or name it in `exempt`"
            self.findings.append(Finding("IMP008", raw_path(shown), said, fix))
        elif stat.S_ISLNK(mode) and (path.is_dir() or path.is_file()):
            for one in sorted(self._below(path)) if path.is_dir() else (path,):
                if _place(one, self.project) not in self.own:
                    yield from self._taken(one, _shown(one, self.project))
        elif not stat.S_ISDIR(mode) and path.exists():
            self.findings.append(UnreadError(shown, PIPE, "put a file in its place").finding(shown))

    def _below(self, folder: Path) -> Iterator[Path]:
        """Yield the files below a linked folder; a folder there that cannot be opened is a finding."""
        closed: list[str] = []
        yield from (self.project.root / one for one in _walked(self.project, closed, folder))
        self.findings.extend(map(_closed, closed))

    def _taken(self, path: Path, shown: str) -> Iterator[Module]:
        """Read a file; one that cannot be read, or is too large, is a finding instead."""
        try:
            with readable(shown):
                module = self.read(path, shown)
        except FileNotFoundError:  # deleted since it was listed
            return
        except TooLargeError:
            self.findings.append(too_large(shown))
        except UnreadError as error:
            self.findings.append(error.finding(shown))
        except OSError as error:
            self.findings.append(unreadable(shown, error).finding(shown))
        else:
            if module is not None:
                yield module


def _leads_to(place: Path, mirror: Path) -> str:
    """Describe a link by which mirrored files can be reached; empty for any other."""
    if place.is_relative_to(mirror):
        return "is a link into the mirrored folder"
    return "is a link to a folder that holds the mirrored one" if mirror.is_relative_to(place) else ""


def _is_text(path: Path) -> bool:
    """Return whether a name is that of a file for people, such as a license, which nothing imports or runs."""
    return path.suffix.lower() in _TEXT_SUFFIXES or (path.suffix == "" and path.name.startswith(_TEXTS))


def _place(path: Path, project: Project) -> str:
    """Return where a file that was reached through a link lies in the project; empty when it lies elsewhere."""
    real = Path(os.path.realpath(path))
    return _shown(real, project) if real.is_relative_to(project.root) else ""


def _listed(project: Project) -> tuple[Sequence[str], Sequence[str], Sequence[str]]:
    """The files that git tracks or would track, those of them that a flag leaves out, and folders that are closed.

    Outside of a repository every file but hidden ones.
    """
    if project.prefix is None:
        closed: list[str] = []
        return sorted(_walked(project, closed)), (), closed
    listed = project.git.run("ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard")
    rows = {os.fsdecode(row[2:]): row[:1] for row in listed.stdout.split(b"\0")[:-1]}
    # Git warns of a folder, and lists the rest as if it were empty.
    return sorted(rows), [shown for shown, tag in rows.items() if tag == b"S"], _UNOPENED.findall(listed.stderr)


def _closed(folder: str) -> Finding:
    reason = "is a folder that cannot be opened"
    return UnreadError(folder, reason, "make it readable, or have git ignore it").finding(folder)


def _of_index(project: Project, left_out: Sequence[str]) -> Iterator[Module]:
    """Read the files of Python that are in the index, and not among the working files."""
    wanted = [
        shown
        for shown in left_out
        if PurePosixPath(shown).suffix.lower() in _SUFFIXES and not (project.root / shown).exists()
    ]
    found = read_named(project.git, [f":./{shown}" for shown in wanted]) if wanted else ()
    yield from (Module(shown, one.body) for shown, one in zip(wanted, found, strict=True) if one is not None)


def _walked(project: Project, closed: list[str], top: Path | None = None) -> Iterator[str]:
    """Yield the files below a folder, by default the project without hidden ones; add closed folders."""

    def refused(error: OSError) -> None:
        closed.append(_shown(Path(os.fsdecode(error.filename)), project))

    for folder, folders, names in os.walk(top or project.root, onerror=refused):
        if top is None:
            folders[:] = [name for name in folders if not name.startswith(".") and name != "__pycache__"]
        links = [name for name in folders if top is None and (Path(folder) / name).is_symlink()]
        yield from (_shown(Path(folder) / name, project) for name in (*names, *links))


def _shown(path: Path, project: Project) -> str:
    return path.relative_to(project.root).as_posix()


def _module(path: Path, shown: str) -> Module | None:
    """The module of a file that Python runs or reads; None of any other."""
    suffix = path.suffix.lower()
    if suffix in _SUFFIXES or path.name.lower() in _NAMES:
        return Module(shown, source_of(path))
    if suffix in CONTAINERS:
        try:
            return Module(shown, CONTAINERS[suffix](path))
        except ValueError as error:
            raise UnreadError(shown, f"is not what its name says: {error}") from error
    return Module(shown, source_of(path)) if _runs_python(path) else None


def _runs_python(path: Path) -> bool:
    with open_regular_file(path) as file:
        if file.read(2) != b"#!":
            return False
        return _RUNS_PYTHON.match(b"#!" + file.read(_SHEBANG_AT_MOST)) is not None


def _is_below(path: str, place: str) -> bool:
    return path == place or path.startswith(place + "/")
