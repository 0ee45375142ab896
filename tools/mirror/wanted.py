"""The rows a pin stands for, from whatever holds them: the project's own objects, else the upstream at hand."""

from __future__ import annotations

import tempfile
from pathlib import Path

from ..errors import ToolError
from ..patch.series import read_series
from ..project import Project
from ..tree import Rows
from .candidate import build_candidate
from .declaration import Declaration
from .listing import read_tree_rows
from .pin import Pin
from .source import Source


def wanted_rows(project: Project, declaration: Declaration, pin: Pin) -> Rows | None:
    """Return the rows of the pin's final tree, or None when nothing on this machine holds them; no network is used."""
    if project.prefix is not None and project.object_format == pin.object_format:
        rows = read_tree_rows(project.git, pin.final_tree)
        if rows is not None:
            return Rows(rows)
    source = Source(project, declaration)
    if not source.place.is_bundles and not source.place.is_local:
        return None
    with tempfile.TemporaryDirectory(prefix="upstream-") as folder:
        try:
            repository = source.fetch(Path(folder), None, pin.object_format)
            target = source.find(repository, pin.commit)
            series = read_series(project, declaration)
            candidate = build_candidate(repository, target, declaration, series, pin.object_format)
        except ToolError:
            return None
    return Rows(candidate.rows) if candidate.pin.final_tree == pin.final_tree else None
