"""A project without a lock file: nothing was mirrored yet, or the file was lost."""

from __future__ import annotations

import shlex

from ..declaration.declaration import Declaration
from ..errors import ToolError
from ..project import Project
from ..tool_name import TOOL


def is_lock_missing(project: Project) -> bool:
    """Return whether the last commit has a lock file that is not among the working files."""
    if project.prefix is None or project.lock_path.exists():
        return False
    return project.git.run("cat-file", "-e", f"HEAD:./{project.lock}", check=False).status == 0


def missing_lock(project: Project, declaration: Declaration) -> ToolError:
    """Return the error that says which of them it is, and how to continue."""
    gone = f"{project.lock} is not there"
    if is_lock_missing(project):
        return ToolError(f"{gone}, but in the last commit", f"git checkout HEAD -- {shlex.quote(project.lock)}")
    folder = project.root / declaration.path
    if folder.is_dir() and any(folder.iterdir()):
        kept = f"git restore --source=HEAD -- {shlex.quote(declaration.path)}, then `patch new NAME --from-mirror`"
        own = f"commit them, so that changes of your own become a patch afterwards ({kept})"
        advice = f"restore it; or {own}, and name the release they are of: {TOOL} mirror sync TAG --discard"
        return ToolError(f"{gone}, and {declaration.path} holds files", advice)
    return ToolError(f"{gone}: nothing was mirrored yet", f"{TOOL} mirror sync")
