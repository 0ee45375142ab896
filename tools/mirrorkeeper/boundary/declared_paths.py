"""Paths of the boundary's declaration that have no effect: notes, as a rename leaves them behind."""

from __future__ import annotations

from collections.abc import Iterator

from ..declaration.boundary import BoundaryDeclaration
from ..findings import Finding
from ..project import Project
from ..text import raw_path


def stale_paths(project: Project, rules: BoundaryDeclaration) -> Iterator[Finding]:
    """Yield a note for each importer that does not exist, and for each exempt path that can be no path of a file."""
    shown = raw_path(project.declaration)
    for one in rules.importers:
        if not (project.root / one).exists():
            yield Finding(
                "IMP011", shown, f"the importer {one!r} does not exist", "correct `importers`, or take it out"
            )
    for one in rules.exempt:
        if one.startswith("/") or {"", ".", ".."} & set(one.rstrip("/").split("/")):
            text = f"`exempt` holds {one!r}, which exempts nothing"
            yield Finding("IMP011", shown, text, "name folders and files as in `tests/data`, or take it out")
