"""Differences made by patches to the pinned release, or between two releases, as git shows them."""

from __future__ import annotations

from pathlib import Path

from ...declaration.declaration import read_declaration
from ...lockfile.missing_lock import missing_lock
from ...lockfile.pin import read_pin
from ...project import Project
from ...series.series import PatchedTree, read_series
from ...system.working_folder import working_folder
from ..source.candidate import base_of
from ..source.source import Source

STYLES = {"stat": ("--stat",), "name-status": ("--name-status",), "patch": ("-p", "--full-index", "--binary")}


def compare_releases(project: Project, wanted: str | None, style: str, place: str | None = None) -> str:
    """Compare two trees of the upstream, both without excluded paths.

    Args:
        project: the project.
        wanted: `OLD..NEW`, or one release to compare the pinned one with; None shows the changes of the patches.
        style: one of `STYLES`.
        place: another place to fetch from than the declared one.

    Raises:
        ToolError: nothing is pinned, there is no such release, or a patch does not apply.
    """
    declaration, pin = read_declaration(project), read_pin(project)
    if pin is None:
        raise missing_lock(project, declaration)
    source = Source(project, declaration, place)
    with working_folder("upstream-") as folder:
        repository = source.fetch(Path(folder), None, pin.object_format)

        def tree(name: str) -> str:
            found = source.find(repository, name)
            return base_of(repository, found, declaration, pin.object_format)[0]

        before, dots, after = (wanted or "").partition("..")
        if dots:
            one, other = tree(before or pin.commit), tree(after or pin.commit)
        elif wanted:
            one, other = tree(pin.commit), tree(wanted)
        else:
            one = tree(pin.commit)
            patched = PatchedTree(repository, repository.folder, one)
            for patch in read_series(project, declaration):
                patched.apply(patch)
            other = patched.tree
        command = ("diff-tree", "-r", "-M", "--no-color", *STYLES[style], one, other)
        return repository.run(*command).stdout.decode("utf-8", "backslashreplace")
