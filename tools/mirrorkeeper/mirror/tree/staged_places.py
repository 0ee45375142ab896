"""Lock, declaration, patches and attribute files in the index: a submodule in their place, or a lock taken out.

The next commit would hold them so, while the working files are right.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from ...declaration.declaration import Declaration
from ...findings import Finding
from ...git.objects import SUBMODULE
from ...project import Project
from .attributes.sources import NAME


def staged_place_findings(project: Project, declaration: Declaration) -> Iterator[Finding]:
    """Yield a finding for each place that a submodule has in the index, and for a lock that was taken out of it."""
    if project.prefix is None:
        return
    above = [one.as_posix() for one in PurePosixPath(declaration.path).parents if one.name]
    attributes = [f"{folder}/{NAME}" for folder in above] + [NAME]
    places = _staged(project, [project.lock, project.declaration, declaration.patch_folder, *attributes])
    held = project.lock in places
    if not held:  # something above it may have its place
        folders = {*above, *(one.as_posix() for one in PurePosixPath(project.lock).parents if one.name)}
        staged = _staged(project, sorted(folders))
        places.update({path: mode for path, mode in staged.items() if path in folders})
    submodules = sorted(path for path, mode in places.items() if mode == SUBMODULE)
    for path in submodules:
        text = "is a submodule in the index, and the next commit would hold it so"
        yield Finding(
            "MIR005", path.encode("utf-8", "surrogateescape"), text, f"git rm --cached {path} && git add {path}"
        )
    if not held and not submodules and _is_committed(project):
        text = "is taken out of the index, and the next commit would not hold it"
        yield Finding("MIR003", project.lock.encode(), text, f"git add {project.lock}")


def _staged(project: Project, places: list[str]) -> dict[str, int]:
    """Return the mode of each entry of the index at or below these places, by its path."""
    found = {}
    for record in project.git.run("ls-files", "-s", "-z", "--", *places).stdout.split(b"\0")[:-1]:
        header, _, path = record.partition(b"\t")
        found[path.decode("utf-8", "surrogateescape")] = int(header.split(b" ")[0], 8)
    return found


def _is_committed(project: Project) -> bool:
    name = f"HEAD:{project.prefix}{project.lock}"
    return project.git.run("cat-file", "-e", name, check=False).status == 0
