"""Lock, declaration, patches and attribute files in the index: a submodule in their place, or a lock taken out.

The next commit would hold them so, while the working files are right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from ...declaration.declaration import Declaration
from ...findings import Finding
from ...git.command import Running
from ...git.objects import SUBMODULE
from ...project import Project
from .attributes.sources import NAME


def start_places(project: Project, declaration: Declaration) -> Running:
    """Ask for the entries of the index at or below our own places; `parse_places` reads the answer."""
    attributes = [f"{folder}/{NAME}" for folder in _above(declaration.path)] + [NAME]
    return _start(project, [project.lock, project.declaration, declaration.patch_folder, *attributes])


def parse_places(listed: bytes) -> dict[str, int]:
    """Return the mode of each entry in the answer, by its path. Pure."""
    found = {}
    for record in listed.split(b"\0")[:-1]:
        header, _, path = record.partition(b"\t")
        found[path.decode("utf-8", "surrogateescape")] = int(header.split(b" ")[0], 8)
    return found


def staged_place_findings(
    project: Project, declaration: Declaration, held_places: Mapping[str, int]
) -> Iterator[Finding]:
    """Yield a finding for each place that a submodule has in the index, and for a lock that was taken out of it."""
    places = dict(held_places)
    held = project.lock in places
    if not held:  # something above it may have its place
        folders = {*_above(declaration.path), *_above(project.lock)}
        staged = parse_places(_start(project, sorted(folders)).finish().stdout)
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


def _above(path: str) -> list[str]:
    return [one.as_posix() for one in PurePosixPath(path).parents if one.name]


def _start(project: Project, places: list[str]) -> Running:
    return project.git.start("ls-files", "-s", "-z", "--", *places)


def _is_committed(project: Project) -> bool:
    name = f"HEAD:{project.prefix}{project.lock}"
    return project.git.run("cat-file", "-e", name, check=False).status == 0
