"""One folder of an upstream tree as a tree of its own, and the entries beside the way to it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from ...errors import ToolError
from ...git.command import Git
from ...git.objects import Row
from ..tree.listing import RawEntry, read_level
from .source import Target


def cut_out(repository: Git, target: Target, subfolder: str, object_format: str) -> tuple[str, list[RawEntry]]:
    """Return the id of the folder's tree, and every entry that together with it makes the root tree.

    Raises:
        ToolError: the release has no such folder.
    """
    tree, folder, beside = target.root_tree, b"", list[RawEntry]()
    for name in os.fsencode(subfolder).split(b"/"):
        entries = read_level(repository, [(folder, tree)], object_format)
        here = next((one for one in entries if one.name == name and one.is_folder), None)
        if here is None:
            advice = f"see whether it was renamed; `subfolder` names it, and {target.name} is not mirrored without it"
            raise ToolError(f"{target.name} has no folder {subfolder}", advice)
        beside.extend(one for one in entries if one is not here)
        tree, folder = here.oid, here.path + b"/"
    return tree, beside


def below(subfolder: str, rows: Iterable[Row]) -> Iterator[Row]:
    """Yield rows of the folder's tree with their paths in the whole upstream; unchanged where there is no folder."""
    prefix = os.fsencode(f"{subfolder}/") if subfolder else b""
    return (row._replace(path=prefix + row.path) for row in rows)
