"""Two trees compared path by path. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from .objects import FILE, LINK, PROGRAM, TREE, Row


class DifferenceKind(StrEnum):
    """Kind of a difference between the tree at hand and the expected one."""

    MODIFIED = "modified"
    ADDED = "added"
    MISSING = "missing"
    MODE = "mode"
    TYPE = "type"


class TreeDifference(NamedTuple):
    """One path (raw bytes) that differs, and how; `detail` gives both values where that helps."""

    path: bytes
    change: DifferenceKind
    detail: str = ""


_KINDS: Mapping[int, str] = {
    FILE: "file",
    PROGRAM: "file",
    LINK: "symbolic link",
    TREE: "folder",
    0o160000: "submodule",
}


_SPECIAL = 0o010000
"""The mode `read_rows` gives what is no file, link or folder."""


def kind_of(mode: int) -> str:
    """Name the kind of entry a mode stands for."""
    return _KINDS.get(mode, "pipe, socket or device" if mode == _SPECIAL else f"entry of mode {mode:o}")


class Rows:
    """The rows of one tree, by path, with the folders they imply."""

    def __init__(self, rows: Iterable[Row]) -> None:
        """Index `rows`; a later row of a path replaces an earlier one."""
        self.by_path = {row.path: row for row in rows}

    @cached_property
    def folders(self) -> frozenset[bytes]:
        """Every folder that is there because something lies in it."""
        found: set[bytes] = set()
        for path in self.by_path:
            folder = path
            while b"/" in folder:
                folder = folder.rpartition(b"/")[0]
                if folder in found:
                    break
                found.add(folder)
        return frozenset(found)

    def holds_above(self, path: bytes) -> bytes | None:
        """The entry that stands where `path` needs a folder, or None."""
        parts = path.split(b"/")
        for count in range(1, len(parts)):
            above = b"/".join(parts[:count])
            if above in self.by_path:
                return above
        return None


def differences(wanted: Rows, found: Rows) -> tuple[TreeDifference, ...]:
    """Return the differences in `found`, sorted by path; a file that became a folder is one change."""
    result: list[TreeDifference] = []
    for path, row in wanted.by_path.items():
        other = found.by_path.get(path)
        if other is not None:
            result.extend(_changed(row, other))
        elif path in found.folders:
            result.append(TreeDifference(path, DifferenceKind.TYPE, f"{kind_of(row.mode)} became folder"))
        elif found.holds_above(path) is None:
            # An entry in the way is reported once, below, in place of everything that used to lie under it.
            result.append(TreeDifference(path, DifferenceKind.MISSING))
    for path, row in found.by_path.items():
        if path in wanted.by_path:
            continue
        if path in wanted.folders:
            result.append(TreeDifference(path, DifferenceKind.TYPE, f"folder became {kind_of(row.mode)}"))
        elif wanted.holds_above(path) is None:
            result.append(TreeDifference(path, DifferenceKind.ADDED))
    return tuple(sorted(result))


def _changed(wanted: Row, found: Row) -> list[TreeDifference]:
    if wanted.mode == found.mode:
        return [] if wanted.oid == found.oid else [TreeDifference(wanted.path, DifferenceKind.MODIFIED)]
    if kind_of(wanted.mode) != kind_of(found.mode):
        detail = f"{kind_of(wanted.mode)} became {kind_of(found.mode)}"
        return [TreeDifference(wanted.path, DifferenceKind.TYPE, detail)]
    detail = f"{wanted.mode:o} became {found.mode:o}"
    if wanted.oid != found.oid:
        return [TreeDifference(wanted.path, DifferenceKind.MODIFIED, f"content and mode: {detail}")]
    return [TreeDifference(wanted.path, DifferenceKind.MODE, detail)]
