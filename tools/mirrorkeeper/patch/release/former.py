"""The files a series made of the pinned release: what its patches name, so that they can be merged into another one.

A patch after others names a file as those left it. Neither release has that file, and git merges with nothing it does
not know. The series as it was when it was pinned is therefore applied to the pinned release once more.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...declaration.declaration import Declaration
from ...git.command import Git
from ...lockfile.pin import Pin
from ...mirror.source.candidate import base_of
from ...mirror.source.source import Target
from ...project import Project
from ...series.conflict import PatchStopped
from ...series.document import PatchDocument, parse_patch
from ...series.series import PatchedTree
from ..undo import PatchUndo
from .commit_tree import commit_tree

FORMER = "refs/former"
"""Ref of a commit below which all those trees stand, in the temporary repository of a release."""


def store_former(repository: Git, project: Project, declaration: Declaration, pin: Pin, undo: PatchUndo) -> None:
    """Store the trees of the pinned series, as far as its patches are still known as they were.

    Nothing is stored where the declaration names a part of the upstream that the pinned release does not have: its
    files are no former ones of these.
    """
    if repository.run("rev-parse", "--quiet", "--verify", declaration.tree_of(pin.commit), check=False).status != 0:
        return
    root = repository.run("rev-parse", f"{pin.commit}^{{tree}}").text
    base, _ = base_of(repository, Target(None, pin.commit, root, b"", b""), declaration, pin.object_format)
    patched = PatchedTree(repository, repository.folder, base)
    commit = commit_tree(repository, base, None, "the pinned release")
    try:
        for patch in _series(project, declaration, pin, undo):
            patched.apply(patch)
            commit = commit_tree(repository, patched.tree, commit, patch.name)
    except PatchStopped:
        pass  # A file that was edited by hand since: the patches before it are known.
    repository.run("update-ref", FORMER, commit)


def _series(project: Project, declaration: Declaration, pin: Pin, undo: PatchUndo) -> Iterator[PatchDocument]:
    """Yield the pinned patches in their order, up to the first whose bytes are not known any more."""
    for pinned in pin.patches:
        path = project.root / declaration.patch_folder / pinned.name
        kept = undo.before(pinned.name)
        if kept is None and not path.is_file():
            return
        patch = parse_patch(pinned.name, path.read_bytes() if kept is None else kept)
        if patch.sha256 != pinned.sha256:
            return
        yield patch
