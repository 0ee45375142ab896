"""Paths of the mirror, its lock and its patches that an unfinished merge has left without one content."""

from __future__ import annotations

from collections.abc import Iterator

from ...declaration.declaration import Declaration
from ...findings import Finding
from ...project import Project
from ...tool_name import TOOL


def mergeable_places(project: Project, declaration: Declaration) -> tuple[str, str, str, str]:
    """Return the places that are judged, the mirrored folder first."""
    return f"{declaration.path}/", f"{declaration.patch_folder}/", project.lock, project.declaration


def unmerged_findings(project: Project, declaration: Declaration) -> Iterator[Finding]:
    """Yield a finding for each path the index holds in several versions."""
    if project.prefix is None:
        return
    places = mergeable_places(project, declaration)
    listed = project.git.run("ls-files", "--unmerged", "-z", "--", *places).stdout.split(b"\0")[:-1]
    for path in dict.fromkeys(record.partition(b"\t")[2] for record in listed):
        own = path.startswith((places[0].encode(), project.lock.encode()))
        fix = f"{TOOL} mirror sync" if own else "settle the merge and stage the file"
        yield Finding("MIR018", path, "is unmerged: the index holds several versions of it", fix)
