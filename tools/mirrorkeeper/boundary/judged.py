"""Files the boundary judges: all Python of the project, tracked or new, except what is listed. Deny by default."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ..declaration.boundary import BoundaryDeclaration
from ..declaration.declaration import Declaration
from ..errors import ToolError
from ..findings import Finding
from ..modules import Module
from ..project import Project

_SUFFIXES = frozenset((".py", ".pyi", ".pyw"))
_SHEBANG_AT_MOST = 200


Read = Callable[[Path, str], Module | None]
"""Reads a file, given as its path and as it is shown; None when it is none of the language."""


def judged_modules(
    project: Project, declaration: Declaration, rules: BoundaryDeclaration, read: Read | None = None
) -> tuple[list[Module], list[Finding]]:
    """Read every judged file; return the modules, and a finding for each link that leads into the mirrored folder.

    Files of Python are read, or those of `read`.

    Raises:
        ToolError: a file cannot be read.
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
    try:
        if path.suffix in _SUFFIXES:
            return Module(shown, path.read_bytes())
        if path.suffix == ".ipynb":
            return Module(shown, _cells(path.read_bytes()))
        if path.suffix == ".pth":
            lines = path.read_text("utf-8", "replace").splitlines()
            return Module(
                shown, "\n".join(one if one.startswith(("import ", "import\t")) else "" for one in lines).encode()
            )
        if not path.suffix and _runs_python(path):
            return Module(shown, path.read_bytes())
    except FileNotFoundError:  # deleted, and git does not know it yet
        return None
    except OSError as error:
        raise ToolError(f"{shown} cannot be read: {error.strerror}") from error
    return None


def _runs_python(path: Path) -> bool:
    with path.open("rb") as file:
        first = file.readline(_SHEBANG_AT_MOST)
    return first.startswith(b"#!") and b"python" in first


def _cells(content: bytes) -> bytes:
    """The code of a notebook, commands of the notebook itself left out; nothing when it is no notebook."""
    try:
        cells = json.loads(content)["cells"]
        lines = [line for cell in cells if cell["cell_type"] == "code" for line in "".join(cell["source"]).splitlines()]
    except (ValueError, KeyError, TypeError):
        return b""
    return "\n".join("" if line.lstrip().startswith(("%", "!")) else line for line in lines).encode()


def _is_below(path: str, place: str) -> bool:
    return path == place or path.startswith(place + "/")
