"""The pin proven offline: what is mirrored, minus patches, plus excluded entries, is the tree the commit names."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ..git import create_bare, with_index
from ..objects import FILE, LINK, PROGRAM, MalformedObjectError, Row, tree_id
from ..patch.document import PatchDocument
from ..patch.series import PatchedTree
from ..project import Project
from .declaration import Declaration
from .listing import index_rows, read_tree_rows
from .pin import Pin


def prove(
    project: Project,
    declaration: Declaration,
    pin: Pin,
    series: Sequence[PatchDocument],
    rows: Sequence[Row],
) -> str:
    """Rebuild the upstream's root tree from `rows`, those of the working files; return what does not fit, or nothing.

    Needs neither the upstream nor the project's history: entries that are not here take part by their ids alone.

    Raises:
        ToolError: git cannot run, or the files cannot be read.
    """
    if not series and not pin.excluded:
        found = tree_id(rows, pin.object_format)
        return "" if found == pin.root_tree else f"the files make tree {found}, the commit names {pin.root_tree}"
    with tempfile.TemporaryDirectory(prefix="proof-") as name:
        folder = Path(name)
        git = create_bare(folder, pin.object_format)
        touched = {path for patch in pin.patches for path in patch.paths}
        for row in rows:
            if row.path in touched and row.mode in (FILE, PROGRAM, LINK):
                content = _content(project, declaration, row)
                git.run("hash-object", "-w", "-t", "blob", "--stdin", stdin=content)
        start = with_index(git, folder, folder / "start")
        start.run("update-index", "-z", "--index-info", stdin=index_rows(rows))
        patched = PatchedTree(git, folder, start.run("write-tree", "--missing-ok").text)
        for patch in reversed(series):
            if not patched.revert(patch):
                return f"the patch {patch.name} cannot be taken back from the mirrored files"
        base = read_tree_rows(git, patched.current()) or []
    try:
        found = tree_id([*base, *pin.excluded], pin.object_format)
    except MalformedObjectError as error:
        return f"mirrored and excluded entries overlap: {error}"
    return "" if found == pin.root_tree else f"the files make tree {found}, the commit names {pin.root_tree}"


def _content(project: Project, declaration: Declaration, row: Row) -> bytes:
    path = os.fsencode(project.root / declaration.path) + b"/" + row.path
    if row.mode == LINK:
        return os.readlink(path)  # noqa: PTH115 - as below
    with open(path, "rb") as file:  # noqa: PTH123 - the path is bytes, which Path does not take
        return file.read()
