"""Proof of the pin, offline: the mirrored files, minus patches, plus excluded entries, make the tree the commit names.

Theory of operation. The lock holds the raw commit object (and tag object), whose hash is the pinned id, and the commit
names the id of the upstream's root tree. A tree's id follows from the ids of its entries alone. So the proof begins
with the working files, hashed here without any filter of git, and goes back to that root:

1. The patches are reverted one after the other, the last first. After each the tree must have the id that the lock
   gives for that point. Only the files that patches touch are needed with their content; for all others their ids
   stand in a temporary index, so that neither the upstream nor the project's history takes part.
2. The excluded entries, which the lock lists by path, mode and id, are put back; a subfolder gets its path again.
   The result must be the root tree.
3. An id of SHA-1 can be forged by a chosen twin. Therefore the tree without patches is hashed a second time with the
   SHA-256 ids of the same contents, and must have the id that was computed when the release was fetched.

The proof shows that the files are consistent with the pinned commit. It says nothing about the author of that commit:
only a signature does.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...declaration.declaration import Declaration
from ...git.command import Git, create_bare, with_index
from ...git.objects import FILE, LINK, PROGRAM, MalformedObjectError, Row, object_id, tree_id
from ...lockfile.pin import Pin
from ...project import Project
from ...system.working_folder import working_folder
from ..tree.digest import sha256_of_blobs
from ..tree.listing import index_rows, read_tree_rows

if TYPE_CHECKING:
    from ...series.document import PatchDocument
    from ...series.series import PatchedTree


class WorkingFiles(NamedTuple):
    """The working files of the mirror.

    Attributes:
        rows: a row for each.
        digests: the SHA-256 id of each by its path.
        tree: the id of the tree the rows make, where it was computed from them; else empty.
    """

    rows: Sequence[Row]
    digests: Mapping[bytes, str]
    tree: str = ""


def prove(
    project: Project,
    declaration: Declaration,
    pin: Pin,
    series: Sequence[PatchDocument],
    files: WorkingFiles,
) -> str:
    """Rebuild the upstream's root tree from the working files; return the contradictions, or nothing.

    Every tree the lock names on the way has to come out: that after each patch, that without patches, the root.
    Needs neither the upstream nor the project's history: entries that are not here take part by their ids alone.

    Raises:
        ToolError: git cannot run, or the files cannot be read.
    """
    if not series and not pin.excluded and not pin.subfolder:
        return _unlike("the files make", files.tree or tree_id(files.rows, pin.object_format), pin.root_tree)
    from ..source.subfolder import below

    with working_folder("proof-") as name:
        folder = Path(name)
        git = create_bare(folder, pin.object_format)
        patched = _as_mirrored(project, declaration, pin, files.rows, git)
        trees = [pin.base_tree, *(patch.tree_after for patch in pin.patches)]
        for patch, before in zip(reversed(series), reversed(trees[:-1]), strict=True):
            if not patched.revert(patch):
                return f"the patch {patch.name} cannot be taken back from the mirrored files"
            text = _unlike(f"without {patch.name} the files make", patched.current(), before)
            if text:
                return text
        base = read_tree_rows(git, patched.current()) or []
        text = _unlike_digest(git, pin, base, files)
    try:
        found = tree_id([*below(pin.subfolder, base), *pin.excluded], pin.object_format)
    except MalformedObjectError as error:
        return f"mirrored and excluded entries overlap: {error}"
    return _unlike("the files make", found, pin.root_tree) or text


def _as_mirrored(project: Project, declaration: Declaration, pin: Pin, rows: Sequence[Row], git: Git) -> PatchedTree:
    """Return the mirrored tree in a temporary index; only paths of patches are there in full."""
    from ...series.series import PatchedTree

    touched = {path for patch in pin.patches for path in patch.paths}
    for row in rows:
        if row.path in touched and row.mode in (FILE, PROGRAM, LINK):
            content = _content(project, declaration, pin, row)
            git.run("hash-object", "-w", "-t", "blob", "--stdin", stdin=content)
    start = with_index(git, git.folder, git.folder / "start")
    start.run("update-index", "-z", "--index-info", stdin=index_rows(rows))
    return PatchedTree(git, git.folder, start.run("write-tree", "--missing-ok").text)


def _unlike(what: str, found: str, wanted: str) -> str:
    return "" if found == wanted else f"{what} tree {found}, the lock names {wanted}"


def _unlike_digest(git: Git, pin: Pin, base: Sequence[Row], files: WorkingFiles) -> str:
    """Return the contradiction between the tree without the patches and its SHA-256 id in the lock."""
    if not pin.base_sha256:
        return ""
    known = {row: files.digests[row.path] for row in files.rows}
    made = sha256_of_blobs(git, {row.oid for row in base if row not in known})
    digested = (row._replace(oid=known.get(row) or made[row.oid]) for row in base)
    return _unlike("by SHA-256 the files without patches make", tree_id(digested, "sha256"), pin.base_sha256)


def _content(project: Project, declaration: Declaration, pin: Pin, row: Row) -> bytes:
    """The bytes of the working file, or git's where that one is converted or left out."""
    path = os.fsencode(project.root / declaration.path) + b"/" + row.path
    if Path(os.fsdecode(path)).is_symlink():
        return os.readlink(path)  # noqa: PTH115 - as below
    if os.path.lexists(path):
        with open(path, "rb") as file:  # noqa: PTH123 - the path is bytes, which Path does not take
            content = file.read()
        if object_id("blob", content, pin.object_format) == row.oid:
            return content
    return project.git.run("cat-file", "blob", row.oid).stdout
