"""Empty folders of the mirror: git does not keep them, so they belong to no release."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ...declaration.declaration import Declaration
from ...project import Project


def empty_folders(project: Project, declaration: Declaration) -> Iterator[bytes]:
    """Yield those that hold no file at any depth, relative to the project; of one in another only the outer one."""
    top = project.root / declaration.path
    empty: set[Path] = set()
    for name, below, files in os.walk(top, topdown=False):
        folder = Path(name)
        # A link to a folder is listed as one, is not walked into, and is something that git keeps.
        if not files and all(folder / one in empty for one in below):
            empty.add(folder)
    for folder in sorted(empty - {top}):
        if folder.parent not in empty or folder.parent == top:
            yield os.fsencode(folder.relative_to(project.root))
