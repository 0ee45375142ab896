"""The mirrored folder's content, accepted as a tree that a patch can be made from."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ..declaration.declaration import Declaration
from ..errors import ToolError
from ..git.objects import LINK, SUBMODULE, Row
from ..git.worktree import read_rows
from ..lockfile.pin import read_pin
from ..mirror.tree.listing import index_rows, read_tree_rows
from ..mirror.verify.drift import ignored_paths
from ..project import Project
from ..series.next_steps import ABORT
from ..series.series import PatchedTree
from .release.base_release import BaseRelease

_SHOWN = 5


def accepted_tree(project: Project, declaration: Declaration, base_release: BaseRelease) -> tuple[str, Sequence[bytes]]:
    """Write the content of the mirrored folder as a tree into the base release's repository.

    Returns:
        The tree's id, and the files that are left out because git ignores them.

    Raises:
        ToolError: the mirror is at another release than the ground.
    """
    pin = read_pin(project)
    if pin is None or pin.commit != base_release.target.commit:
        raise ToolError("the mirror is not at the release patches are made for", ABORT)
    top = project.root / declaration.path
    listed = [row for row in read_rows(top, pin.object_format) if row.oid]
    ignored = set(ignored_paths(project, declaration, [row.path for row in listed]))
    # What the upstream's own ignore files name may be tracked all the same, by it or by the project.
    tracked = {row.path for row in read_tree_rows(base_release.repository, base_release.base) or ()}
    tracked |= _committed(project, os.fsencode(declaration.path) + b"/")
    rows = [row for row in listed if row.path not in ignored or row.path in tracked]
    known = PatchedTree(base_release.repository, base_release.repository.folder, base_release.base)
    left = [row.path for row in listed if row.path in ignored and row.path not in tracked]
    return _write_rows(known, os.fsencode(top) + b"/", rows), left


def _committed(project: Project, top: bytes) -> set[bytes]:
    """Return the files below the mirrored folder that the last commit or the index of the project has."""
    found: set[bytes] = set()
    folder = os.fsdecode(top)
    for command in (("ls-tree", "-r", "-z", "--name-only", "HEAD", folder), ("ls-files", "-z", "--", folder)):
        if project.prefix is not None:
            listed = project.git.run(*command, check=False).stdout.split(b"\0")[:-1]
            found.update(path.removeprefix(top) for path in listed)
    return found


def _write_rows(at: PatchedTree, top: bytes, rows: Sequence[Row]) -> str:
    for row in rows:
        if row.mode == SUBMODULE or at.git.run("cat-file", "-e", row.oid, check=False).status == 0:
            continue
        if row.mode == LINK:
            content = os.readlink(top + row.path)  # noqa: PTH115 - the path is bytes, which Path does not take
        else:
            with open(top + row.path, "rb") as file:  # noqa: PTH123 - as above
                content = file.read()
        at.git.run("hash-object", "-w", "-t", "blob", "--stdin", stdin=content)
    at.git.run("read-tree", "--empty")
    at.git.run("update-index", "-z", "--index-info", stdin=index_rows(rows))
    return at.git.run("write-tree").text


def left_out_line(name: str, left: Sequence[bytes]) -> str:
    """Return the line about files that a patch leaves out because git ignores them."""
    shown = ", ".join(path.decode("utf-8", "backslashreplace") for path in left[:_SHOWN])
    more = f" and {len(left) - _SHOWN} more" if len(left) > _SHOWN else ""
    return f"{name} leaves out files that git ignores: {shown}{more}; git add --force takes one in"
