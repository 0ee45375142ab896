"""The files of a folder as rows of a git tree: raw bytes hashed here, no filter of git in between."""

from __future__ import annotations

import os
import stat
from collections.abc import MutableMapping
from operator import attrgetter
from pathlib import Path

from ..errors import ToolError
from .objects import FILE, LINK, PROGRAM, Row, object_id

OTHER = 0o010000
_PART = 1 << 20
_by_path = attrgetter("path")


def read_rows(
    folder: Path,
    object_format: str = "sha1",
    *,
    names_only: bool = False,
    digests: MutableMapping[bytes, str] | None = None,
) -> list[Row]:
    """Return a row for every file and link below `folder`, in the order of their paths.

    Links are taken as links. A socket, pipe or device comes out with the mode `OTHER`. With `names_only` nothing is
    read and every id is empty. A folder that does not exist has no rows. `digests` is given the SHA-256 id of each
    file and link by its path, of the same bytes as the row's.

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
                        mode, content = _seen(entry, names_only=names_only)
                        oid = "" if content is None else object_id("blob", content, object_format)
                        rows.append(Row(path, mode, oid))
                        if digests is not None and content is not None:
                            digests[path] = object_id("blob", content, "sha256")
    except FileNotFoundError:
        if not folder.exists():
            return []
        raise ToolError(f"{folder} changed while it was read", "run the command again") from None
    except OSError as error:
        raise ToolError(f"{folder} cannot be read: {error}") from error
    return sorted(rows, key=_by_path)


def _seen(entry: os.DirEntry[bytes], *, names_only: bool) -> tuple[int, bytes | None]:
    """Return mode and bytes of a file or link; no bytes for other kinds, or when only names were requested."""
    if entry.is_symlink():
        return LINK, None if names_only else os.readlink(entry.path)  # noqa: PTH115 - Path does not take bytes
    if not entry.is_file(follow_symlinks=False):
        return OTHER, None
    if names_only:
        return PROGRAM if entry.stat(follow_symlinks=False).st_mode & stat.S_IXUSR else FILE, None
    # One opening for mode and content: on a large tree the calls take longer than the hashing.
    descriptor = os.open(entry.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        status = os.fstat(descriptor)
        content = os.read(descriptor, status.st_size + 1)
        if len(content) != status.st_size:
            content += _rest(descriptor)
    finally:
        os.close(descriptor)
    return PROGRAM if status.st_mode & stat.S_IXUSR else FILE, content


def _rest(descriptor: int) -> bytes:
    """Read the rest of a file that the system did not give at once, or that is growing."""
    parts = []
    while part := os.read(descriptor, _PART):
        parts.append(part)
    return b"".join(parts)
