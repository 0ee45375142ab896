"""Files the boundary judges: all Python of the project, tracked or new, except what is listed. Deny by default."""

from __future__ import annotations

import os
import re
import stat
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path, PurePosixPath

from ..declaration.boundary import BoundaryDeclaration
from ..declaration.declaration import Declaration
from ..errors import ToolError
from ..findings import Finding
from ..mirror.tree.listing import read_named
from ..modules import LARGEST, Module, TooLargeError, source_of, too_large
from ..project import Project
from ..text import raw_path
from .texts.notebooks import notebook_code, script_code

_SUFFIXES = frozenset((".py", ".pyi", ".pyw", ".py3", ".pyt", ".wsgi", ".tac"))
_NAMES = frozenset(("sconstruct", "sconscript", "wscript"))
_TEXT_SUFFIXES, _TEXTS = frozenset((".md", ".rst", ".txt")), ("LICENSE", "COPYING", "NOTICE", "README", "AUTHORS")
_SHEBANG_AT_MOST = 200
# An interpreter of Python, a runner of its scripts, or a shell that hands the file on to one in its second line.
_RUNS_PYTHON = re.compile(rb"#![^\n]*(?:python|pypy|\buv\b|\bpipx\b)|#![^\n]*\n'''exec' ")


Read = Callable[[Path, str], Module | None]
"""Reads a file, given as its path and as it is shown; None when it is none of the language."""


def judged_modules(
    project: Project, declaration: Declaration, rules: BoundaryDeclaration, read: Read | None = None
) -> tuple[list[Module], list[Finding]]:
    """Read every judged file; return the modules, and a finding for each link that leads into the mirrored folder.

    Files of Python are read, or those of `read`. A link to files that are judged where they lie adds none; what a
    sparse checkout or a flag of the index leaves out of the working files is read from the index.

    Raises:
        ToolError: a file cannot be read, or something else stands in its place: opening a pipe would wait for ever.
    """
    mirror = Path(os.path.realpath(project.root / declaration.path))
    modules: list[Module] = []
    findings: list[Finding] = []
    take = partial(_taken, read or _module, findings)
    listed, left_out = _listed(project)
    own = {shown for shown in listed if not _is_below(shown, declaration.path) and not rules.exempts(shown)}
    for shown in listed:
        if shown not in own:
            continue
        path = project.root / shown
        try:
            mode = os.lstat(path).st_mode
        except (FileNotFoundError, NotADirectoryError):  # deleted, and git does not know it yet
            continue
        if stat.S_ISLNK(mode) and path.is_file() and _is_text(path) and _is_text(Path(os.path.realpath(path))):
            continue
        if stat.S_ISLNK(mode) and (said := _leads_to(Path(os.path.realpath(path)), mirror)):
            fix = "remove the link, or name it in `exempt`"
            findings.append(Finding("IMP008", raw_path(shown), said, fix))
        elif stat.S_ISLNK(mode) and (path.is_dir() or path.is_file()):
            below = (path,) if not path.is_dir() else sorted(one for one in path.rglob("*") if one.is_file())
            linked = [one for one in below if _place(one, project) not in own]
            modules.extend(module for one in linked if (module := take(one, _shown(one, project))) is not None)
        elif not stat.S_ISREG(mode) and not stat.S_ISDIR(mode) and path.exists():
            raise ToolError(f"{shown} is a pipe, socket or device and was not read.", "Put a file in its place.")
        elif stat.S_ISREG(mode) and (module := take(path, shown)) is not None:
            modules.append(module)
    if read is None:
        modules.extend(_of_index(project, [shown for shown in left_out if shown in own]))
    return modules, findings


def _taken(read: Read, findings: list[Finding], path: Path, shown: str) -> Module | None:
    """Read a file; one that is too large is a finding, and none of the modules."""
    try:
        return read(path, shown)
    except TooLargeError:
        findings.append(too_large(shown))
        return None


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


def _listed(project: Project) -> tuple[Sequence[str], Sequence[str]]:
    """The files that git tracks or would track, and those of them that a flag leaves out of the working files.

    Outside of a repository every file but hidden ones.
    """
    if project.prefix is None:
        return sorted(_walked(project)), ()
    listed = project.git.run("ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard").stdout
    rows = {os.fsdecode(row[2:]): row[:1] for row in listed.split(b"\0")[:-1]}
    return sorted(rows), [shown for shown, tag in rows.items() if tag == b"S"]


def _of_index(project: Project, left_out: Sequence[str]) -> Iterator[Module]:
    """Read the files of Python that are in the index, and not among the working files."""
    wanted = [
        shown
        for shown in left_out
        if PurePosixPath(shown).suffix.lower() in _SUFFIXES and not (project.root / shown).exists()
    ]
    found = read_named(project.git, [f":./{shown}" for shown in wanted]) if wanted else ()
    yield from (Module(shown, one.body) for shown, one in zip(wanted, found, strict=True) if one is not None)


def _walked(project: Project) -> Iterator[str]:
    for folder, folders, names in os.walk(project.root):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "__pycache__"]
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        yield from (_shown(Path(folder) / name, project) for name in (*names, *links))


def _shown(path: Path, project: Project) -> str:
    return path.relative_to(project.root).as_posix()


def _module(path: Path, shown: str) -> Module | None:
    """The module of a file that Python runs or reads; None of any other."""
    suffix = path.suffix.lower()
    try:
        if suffix in _SUFFIXES or path.name.lower() in _NAMES:
            return Module(shown, source_of(path))
        if suffix in _CONTAINERS:
            return Module(shown, _CONTAINERS[suffix](path))
        return Module(shown, source_of(path)) if _runs_python(path) else None
    except FileNotFoundError:  # deleted, and git does not know it yet
        return None
    except OSError as error:
        raise ToolError(f"{shown} cannot be read: {error.strerror}") from error


def _runs_python(path: Path) -> bool:
    with path.open("rb") as file:
        if file.read(2) != b"#!":
            return False
        return _RUNS_PYTHON.match(b"#!" + file.read(_SHEBANG_AT_MOST)) is not None


def _packed(path: Path) -> bytes:
    """The modules in an archive that Python can import from, one after the other; nothing of a broken one."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.endswith(".py")]
            if sum(archive.getinfo(name).file_size for name in names) > LARGEST:
                raise TooLargeError
            texts = [Module(f"{path.name}/{name}", archive.read(name)).text for name in sorted(names)]
    except (zipfile.BadZipFile, RuntimeError):
        return b""
    return "\n\n".join(("\n", *texts)).encode()


def _imports_of_path_file(path: Path) -> bytes:
    """The lines of a `.pth` file that Python runs, in their places."""
    lines = source_of(path).decode("utf-8", "replace").splitlines()
    return "\n".join(one if one.startswith(("import ", "import\t")) else "" for one in lines).encode()


_CONTAINERS: Mapping[str, Callable[[Path], bytes]] = {
    ".ipynb": lambda path: notebook_code(source_of(path)),
    ".ipy": lambda path: script_code(source_of(path).decode("utf-8", "replace")),
    ".pth": _imports_of_path_file,
    **dict.fromkeys((".zip", ".whl", ".egg", ".pyz", ".pyzw"), _packed),
}
"""Files that hold Python within something else, each with its reader."""


def _is_below(path: str, place: str) -> bool:
    return path == place or path.startswith(place + "/")
