"""Obstacles at the mirrored folder's path, or at one above it: a link to the same files is not the mirror."""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from ...declaration.declaration import Declaration
from ...errors import ToolError
from ...project import Project


class BlockedPath(NamedTuple):
    """Something that is no folder: its path relative to the project, its kind, whether it is above the mirror."""

    path: str
    kind: str
    above: bool

    @property
    def text(self) -> str:
        """The problem, as it reads after the path."""
        return f"is a {self.kind} where a folder has to be"


def blocked_path(project: Project, declaration: Declaration) -> BlockedPath | None:
    """The first part of the mirrored folder's path that is there and no folder, links not followed."""
    parts = declaration.path.split("/")
    for count in range(1, len(parts) + 1):
        path = "/".join(parts[:count])
        try:
            mode = os.lstat(project.root / path).st_mode
        except FileNotFoundError:
            return None
        if not stat.S_ISDIR(mode):
            kind = "symbolic link" if stat.S_ISLNK(mode) else "file" if stat.S_ISREG(mode) else "special file"
            return BlockedPath(path, kind, above=count < len(parts))
    return None


def refuse_blocked_path(project: Project, declaration: Declaration) -> None:
    """Refuse to work where everything beside the mirror would be written to another place.

    Raises:
        ToolError: a folder above the mirror is a link, or is none.
    """
    found = blocked_path(project, declaration)
    if found is not None and found.above:
        raise ToolError(f"{found.path} {found.text}", "put the folder itself in its place")
