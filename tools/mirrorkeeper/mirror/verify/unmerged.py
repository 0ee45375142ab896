"""Paths of the mirror, its lock and its patches that an unfinished merge has left without one content."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...project import Project
from ...tool_name import TOOL

if TYPE_CHECKING:
    from ...declaration.declaration import Declaration
    from ...findings import Finding
    from ...git.command import Running


def mergeable_places(project: Project, declaration: Declaration) -> tuple[str, str, str, str]:
    """Return the places that are judged, the mirrored folder first."""
    return f"{declaration.path}/", f"{declaration.patch_folder}/", project.lock, project.declaration


def start_unmerged(project: Project, declaration: Declaration) -> Running:
    """Ask for the entries of the index that are there in several versions; `unmerged_findings` reads the answer."""
    return project.git.start("ls-files", "--unmerged", "-z", "--", *mergeable_places(project, declaration))


def unmerged_findings(project: Project, declaration: Declaration, listed: bytes) -> Iterator[Finding]:
    """Yield a finding for each path the index holds in several versions."""
    from ...findings import Finding

    places = mergeable_places(project, declaration)
    for path in dict.fromkeys(record.partition(b"\t")[2] for record in listed.split(b"\0")[:-1]):
        own = path.startswith((places[0].encode(), project.lock.encode()))
        fix = f"{TOOL} mirror sync" if own else "settle the merge and stage the file"
        yield Finding("MIR018", path, "is unmerged: the index holds several versions of it", fix)
