"""The files of a folder as rows of a git tree: raw bytes hashed here, no filter of git in between."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from .errors import ToolError
from .objects import FILE, LINK, PROGRAM, Row, object_id

OTHER = 0o010000


def read_rows(folder: Path, object_format: str = "sha1", *, names_only: bool = False) -> list[Row]:
    """Return a row for every file and link below `folder`, in the order of their paths.

    Links are taken as links. A socket, pipe or device comes out with the mode `OTHER`. With `names_only` nothing is
    read and every id is empty. A folder that does not exist has no rows.

    Raises:
        ToolError: something below cannot be read.
    """
    rows: list[Row] = []
    pending = [(os.fsencode(folder), b"")]
    try:
        while pending:
            place, prefix = pending.pop()
            with os.scandir(place) as entries:
                for entry in entries:
                    path = prefix + entry.name
                    if entry.is_dir(follow_symlinks=False):
                        pending.append((entry.path, path + b"/"))
                    else:
                        rows.append(_row(entry, path, object_format, names_only=names_only))
    except FileNotFoundError:
        if not folder.exists():
            return []
        raise ToolError(f"{folder} changed while it was read", "run the command again") from None
    except OSError as error:
        raise ToolError(f"{folder} cannot be read: {error}") from error
    return sorted(rows)


def _row(entry: os.DirEntry[bytes], path: bytes, object_format: str, *, names_only: bool) -> Row:
    status = entry.stat(follow_symlinks=False)
    if stat.S_ISLNK(status.st_mode):
        target = os.readlink(entry.path)  # noqa: PTH115 - the path is bytes, which Path does not take
        return Row(path, LINK, "" if names_only else object_id("blob", target, object_format))
    if not stat.S_ISREG(status.st_mode):
        return Row(path, OTHER, "")
    mode = PROGRAM if status.st_mode & stat.S_IXUSR else FILE
    if names_only:
        return Row(path, mode, "")
    with open(entry.path, "rb") as file:  # noqa: PTH123 - the path is bytes, which Path does not take
        return Row(path, mode, object_id("blob", file.read(), object_format))
