"""The import path of a folder of the project, by the `go.mod` that is nearest above it."""

from __future__ import annotations

from pathlib import PurePosixPath

from ..golang.modfile import module_of
from ..project import Project


def import_path(project: Project, target: str) -> str:
    """Return the import path of the package a file belongs to; empty when no module is around it."""
    folder = PurePosixPath(target).parent
    for above in (folder, *folder.parents):
        try:
            text = (project.root / above / "go.mod").read_text("utf-8", "replace")
        except OSError:
            continue
        module, rest = module_of(text), folder.relative_to(above).as_posix()
        return module if rest == "." else f"{module}/{rest}"
    return ""
