"""The rows a pin stands for, from the project's own objects, else from the upstream at hand."""

from __future__ import annotations

from pathlib import Path

from ...declaration.declaration import Declaration
from ...errors import ToolError
from ...git.tree_diff import Rows
from ...lockfile.pin import Pin
from ...project import Project
from ...series.series import read_series
from ...system.working_folder import working_folder
from ..tree.listing import read_tree_rows
from .candidate import build_candidate
from .source import Source


def pinned_rows(project: Project, declaration: Declaration, pin: Pin) -> Rows | None:
    """Return the rows of the pin's final tree, or None when nothing on this machine holds them; no network is used."""
    if project.prefix is not None and project.object_format == pin.object_format:
        rows = read_tree_rows(project.git, pin.final_tree)
        if rows is not None:
            return Rows(rows)
    source = Source(project, declaration)
    if not source.place.is_bundles and not source.place.is_local:
        return None
    with working_folder("upstream-") as folder:
        try:
            repository = source.fetch(Path(folder), None, pin.object_format)
            target = source.find(repository, pin.commit)
            series = read_series(project, declaration)
            candidate = build_candidate(repository, target, declaration, series, pin.object_format)
        except ToolError:
            return None
    return Rows(candidate.rows) if candidate.pin.final_tree == pin.final_tree else None
