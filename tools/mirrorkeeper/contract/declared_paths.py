"""Folders in `paths` of `[contract]`: one that is not there, or not in the project, would turn the rule off."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from ..findings import Finding
from ..project import Project
from ..text import raw_path

_FIX = "correct `paths` of [contract], or take it out"


def judged_paths(project: Project, paths: Iterable[str]) -> tuple[tuple[str, ...], tuple[Finding, ...]]:
    """Return the folders whose code is judged, and a finding for each of the others."""
    judged: list[str] = []
    found: list[Finding] = []
    for one in paths:
        place = os.path.realpath(project.root / one)
        if os.path.commonpath((project.root, place)) != str(project.root):
            text = f"{one!r} leads out of the project"
        elif not Path(place).is_dir():
            text = f"{one!r} is not a folder, so that no code is judged there"
        else:
            judged.append(one)
            continue
        found.append(Finding("CON019", raw_path(project.declaration), f"`paths` of [contract]: {text}", _FIX))
    return tuple(judged), tuple(found)
