"""Obstacles at a path or above it: links, special files, and files where folders have to be."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NamedTuple


class BlockedPath(NamedTuple):
    """Something of another kind than wanted: its path below the top, its kind, whether it is above, the wanted kind."""

    path: str
    kind: str
    above: bool
    wanted: str = "folder"

    @property
    def text(self) -> str:
        """The problem, as it reads after the path."""
        return f"is a {self.kind} where a {self.wanted} has to be"


def blocked_folder(top: Path, shown: str) -> BlockedPath | None:
    """The first part of a folder's path that is there and no folder, links not followed."""
    return _blocked(top, shown, "folder")


def blocked_file(top: Path, shown: str) -> BlockedPath | None:
    """The first part of a file's path that is there and no folder, or in the end no file, links not followed."""
    return _blocked(top, shown, "file")


def _blocked(top: Path, shown: str, wanted: str) -> BlockedPath | None:
    parts = shown.split("/")
    for count in range(1, len(parts) + 1):
        path, last = "/".join(parts[:count]), count == len(parts)
        try:
            kind = _kind(os.lstat(top / path).st_mode)
        except (FileNotFoundError, NotADirectoryError):
            return None
        needed = wanted if last else "folder"
        if kind != needed:
            return BlockedPath(path, kind, above=not last, wanted=needed)
    return None


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "folder"
    return "symbolic link" if stat.S_ISLNK(mode) else "file" if stat.S_ISREG(mode) else "special file"
