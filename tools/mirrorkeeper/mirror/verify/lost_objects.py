"""Objects and references that a damaged repository has lost.

Git answers a question for such an object as one for a path that never was: what looks as if it were not committed is
asked for here once more, step by step. A repository with all its objects never comes here.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from ...declaration.declaration import Declaration
from ...errors import ToolError
from ...git.named_objects import read_named
from ...project import Project

_ADVICE = "see what `git fsck` says; restore the repository from another clone"


def refuse_lost_objects(project: Project, declaration: Declaration) -> None:
    """Refuse a repository that lacks objects of the last commit or the index on the way to mirror and lock.

    Raises:
        ToolError: one is lost, or the branch's reference cannot be read.
    """
    wanted = {**_committed(project, declaration), **_staged(project)}
    found = read_named(project.git, list(wanted))
    missing = [f"{what} ({oid[:12]})" for (oid, what), one in zip(wanted.items(), found, strict=True) if one is None]
    if missing:
        raise lost(project, missing)


def lost(project: Project, missing: Sequence[str]) -> ToolError:
    """Return the error of a repository without these objects."""
    text = f"the repository of {project.root} is damaged: {', '.join(missing)} cannot be read"
    return ToolError(text, _ADVICE)


def _committed(project: Project, declaration: Declaration) -> dict[str, str]:
    """Return what to call the mirror and the lock of the last commit, by their ids; empty before the first commit."""
    git = project.git
    if git.run("rev-parse", "--verify", "--quiet", "HEAD", check=False).status != 0:
        _refuse_broken_reference(project)
        return {}
    listed = git.run("ls-tree", "-z", "HEAD", "--", declaration.path, project.lock, check=False)
    if listed.status != 0:
        raise ToolError(
            f"the repository of {project.root} is damaged: its last commit cannot be read: {listed.complaint}", _ADVICE
        )
    rows = [record.split(b"\t", 1)[0].decode().split() for record in listed.stdout.split(b"\0")[:-1]]
    names = {"tree": f"{declaration.path} in the last commit", "blob": f"{project.lock} in the last commit"}
    return {oid: names[kind] for _, kind, oid in rows if kind in names}


def _refuse_broken_reference(project: Project) -> None:
    """Refuse a branch whose reference is there and leads to nothing; that of a new repository is not there."""
    git = project.git
    branch = git.run("symbolic-ref", "--quiet", "HEAD", check=False).text
    place = git.run("rev-parse", "--git-path", branch or "HEAD", check=False)
    listed = git.run("for-each-ref", "--count=1", check=False)
    if not branch or place.status != 0 or listed.status != 0 or os.path.lexists(project.root / place.text):
        name = branch or "HEAD"
        raise ToolError(f"the repository of {project.root} is damaged: {name} leads to no commit", _ADVICE)


def _staged(project: Project) -> dict[str, str]:
    listed = project.git.run("ls-files", "--stage", "-z", "--", project.lock).stdout.split(b"\0")[:-1]
    return {record.split(b" ")[1].decode(): f"{project.lock} in the index" for record in listed}
