"""The files of a folder as rows of a git tree: raw bytes hashed here, no filter of git in between."""

from __future__ import annotations

import os
import stat
from operator import attrgetter
from pathlib import Path

from .errors import ToolError
from .objects import FILE, LINK, PROGRAM, Row, object_id

OTHER = 0o010000
_PART = 1 << 20
_by_path = attrgetter("path")


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
    return sorted(rows, key=_by_path)


def _row(entry: os.DirEntry[bytes], path: bytes, object_format: str, *, names_only: bool) -> Row:
    if entry.is_symlink():
        target = os.readlink(entry.path)  # noqa: PTH115 - the path is bytes, which Path does not take
        return Row(path, LINK, "" if names_only else object_id("blob", target, object_format))
    if not entry.is_file(follow_symlinks=False):
        return Row(path, OTHER, "")
    if names_only:
        return Row(path, PROGRAM if entry.stat(follow_symlinks=False).st_mode & stat.S_IXUSR else FILE, "")
    # One opening for mode and content: on a large tree the calls take longer than the hashing.
    descriptor = os.open(entry.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        status = os.fstat(descriptor)
        content = os.read(descriptor, status.st_size + 1)
        if len(content) != status.st_size:
            content += _rest(descriptor)
    finally:
        os.close(descriptor)
    mode = PROGRAM if status.st_mode & stat.S_IXUSR else FILE
    return Row(path, mode, object_id("blob", content, object_format))


def _rest(descriptor: int) -> bytes:
    """What is left of a file that the system did not give at once, or that is growing."""
    parts = []
    while part := os.read(descriptor, _PART):
        parts.append(part)
    return b"".join(parts)
