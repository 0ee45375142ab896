"""Patches for people to read: the list, and one of them whole."""

from __future__ import annotations

from collections.abc import Iterator

from ..declaration.declaration import read_declaration
from ..lockfile.pin import read_pin
from ..project import Project
from ..series.document import PatchDocument
from ..series.series import read_series
from ..system.files import DiskFiles
from .patch_files import PatchFiles

_FIELDS = ("Why", "Forwarded", "Drop-When", "Test", "Paths")


def patch_lines(project: Project) -> Iterator[str]:
    """Yield a block of lines for each patch, in order; one line when there is none."""
    declaration, pin = read_declaration(project), read_pin(project)
    series = read_series(project, declaration)
    if not series:
        yield "no patches"
    applied = {patch.name: patch for patch in pin.patches} if pin else {}
    for at, patch in enumerate(series, 1):
        pinned = applied.get(patch.name)
        state = "not in the mirror yet" if pinned is None else "in the mirror"
        if pinned is not None and pinned.sha256 != patch.sha256:
            state = "changed since the mirror was made"
        yield f"{at}/{len(series)} {patch.name}: {state}"
        yield from (f"  {name}: {patch.fields[name]}" for name in _FIELDS if name in patch.fields)
        if pinned is not None:
            paths = (path.decode("utf-8", "backslashreplace") for path in pinned.paths)
            yield f"  touches: {', '.join(paths)}"


def patch_text(project: Project, name: str) -> str:
    """The text of one patch.

    Raises:
        ToolError: no such patch is listed.
    """
    declaration = read_declaration(project)
    full = PatchFiles(project, declaration, DiskFiles()).listed(name)
    found: PatchDocument = next(patch for patch in read_series(project, declaration) if patch.name == full)
    return found.content.decode("utf-8", "backslashreplace")
