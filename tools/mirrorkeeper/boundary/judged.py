"""Files the boundary judges: all Python of the project, tracked or new, except what is listed. Deny by default."""

from __future__ import annotations

import json
import os
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from ..declaration.boundary import BoundaryDeclaration
from ..declaration.declaration import Declaration
from ..errors import ToolError
from ..findings import Finding
from ..modules import Module
from ..project import Project

_SUFFIXES = frozenset((".py", ".pyi", ".pyw"))
_SHEBANG_AT_MOST = 200
# An interpreter of Python, a runner of its scripts, or a shell that hands the file on to one in its second line.
_RUNS_PYTHON = re.compile(rb"#![^\n]*(?:python|pypy|\buv\b|\bpipx\b)|#![^\n]*\n'''exec' ")


Read = Callable[[Path, str], Module | None]
"""Reads a file, given as its path and as it is shown; None when it is none of the language."""


def judged_modules(
    project: Project, declaration: Declaration, rules: BoundaryDeclaration, read: Read | None = None
) -> tuple[list[Module], list[Finding]]:
    """Read every judged file; return the modules, and a finding for each link that leads into the mirrored folder.

    Files of Python are read, or those of `read`.

    Raises:
        ToolError: a file cannot be read, or something else stands in its place: opening a pipe would wait for ever.
    """
    mirror = Path(os.path.realpath(project.root / declaration.path))
    take = read or _module
    modules: list[Module] = []
    findings: list[Finding] = []
    for shown in _listed(project):
        if _is_below(shown, declaration.path) or rules.exempts(shown):
            continue
        path = project.root / shown
        if path.is_symlink() and Path(os.path.realpath(path)).is_relative_to(mirror):
            text = "is a link into the mirrored folder"
            findings.append(Finding("IMP008", shown.encode("utf-8", "surrogateescape"), text, "remove the link"))
        elif path.is_dir():
            below = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_symlink() else ()
            modules.extend(module for one in below if (module := take(one, _shown(one, project))) is not None)
        elif path.exists() and not path.is_file():
            raise ToolError(f"{shown} is a pipe, socket or device and was not read.", "Put a file in its place.")
        elif (module := take(path, shown)) is not None:
            modules.append(module)
    return modules, findings


def _listed(project: Project) -> Sequence[str]:
    """The files that git tracks or would track; outside of a repository every file but hidden ones."""
    if project.prefix is not None:
        listed = project.git.run("ls-files", "-z", "--cached", "--others", "--exclude-standard").stdout
        return sorted({name.decode("utf-8", "surrogateescape") for name in listed.split(b"\0")[:-1]})
    return sorted(_walked(project))


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
        if suffix in _SUFFIXES:
            return Module(shown, path.read_bytes())
        if suffix in _CONTAINERS:
            return Module(shown, _CONTAINERS[suffix](path))
        return Module(shown, path.read_bytes()) if _runs_python(path) else None
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
            texts = [Module(f"{path.name}/{name}", archive.read(name)).text for name in sorted(names)]
    except (zipfile.BadZipFile, RuntimeError):
        return b""
    return "\n\n".join(("\n", *texts)).encode()


def _imports_of_path_file(path: Path) -> bytes:
    """The lines of a `.pth` file that Python runs, in their places."""
    lines = path.read_text("utf-8", "replace").splitlines()
    return "\n".join(one if one.startswith(("import ", "import\t")) else "" for one in lines).encode()


def _cells(path: Path) -> bytes:
    """The code of a notebook, commands of the notebook itself left out; nothing when it is no notebook."""
    content = path.read_bytes()
    try:
        cells = json.loads(content)["cells"]
        lines = [line for cell in cells if cell["cell_type"] == "code" for line in "".join(cell["source"]).splitlines()]
    except (ValueError, KeyError, TypeError):
        return b""
    return "\n".join("" if line.lstrip().startswith(("%", "!")) else line for line in lines).encode()


_CONTAINERS: Mapping[str, Callable[[Path], bytes]] = {
    ".ipynb": _cells,
    ".pth": _imports_of_path_file,
    **dict.fromkeys((".zip", ".whl", ".egg", ".pyz", ".pyzw"), _packed),
}
"""Files that hold Python within something else, each with its reader."""


def _is_below(path: str, place: str) -> bool:
    return path == place or path.startswith(place + "/")
