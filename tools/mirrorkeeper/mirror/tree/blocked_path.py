"""Obstacles at the mirrored folder's path, or at one above it: a link to the same files is not the mirror."""

from __future__ import annotations

from ...declaration.declaration import Declaration
from ...errors import ToolError
from ...project import Project
from ...system.blocked_path import BlockedPath, blocked_folder


def blocked_path(project: Project, declaration: Declaration) -> BlockedPath | None:
    """The first part of the mirrored folder's path that is there and no folder, links not followed."""
    return blocked_folder(project.root, declaration.path)


def refuse_blocked_path(project: Project, declaration: Declaration) -> None:
    """Refuse to work where everything beside the mirror would be written to another place.

    Raises:
        ToolError: a folder above the mirror is a link, or is none.
    """
    found = blocked_path(project, declaration)
    if found is not None and found.above:
        raise ToolError(f"{found.path} {found.text}", "put the folder itself in its place")
