"""The files of a folder as rows of a git tree: raw bytes hashed here, no filter of git in between."""

from __future__ import annotations

import os
import stat
from collections.abc import MutableMapping, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from ..errors import ToolError
from ..system.second_process import SecondProcess, has_second_core
from .objects import FILE, LINK, PROGRAM, Row, blob_hasher

OTHER = 0o010000
_PART = 1 << 20
_WORTH_SHARING = 4_000
"""Files from which on a second process saves more than it costs, which is about 10 ms."""
_by_path = attrgetter("path")


class _Folder(NamedTuple):
    """A folder with files: where it is, the path of what lies in it begins with `prefix`, the names of its files."""

    place: bytes
    prefix: bytes
    names: list[bytes]


Content = tuple[int, str, str]
"""Of a file: its mode, its object id, its SHA-256 id (empty where none was asked for)."""


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
    formats = (object_format, "" if digests is None else "sha256")
    rows: list[Row] = []
    try:
        folders = _walked(os.fsencode(folder), rows, formats, digests, names_only=names_only)
        contents = iter(_contents(folders, formats))
    except FileNotFoundError:
        if not folder.exists():
            return []
        raise ToolError(f"{folder} changed while it was read", "run the command again") from None
    except OSError as error:
        raise ToolError(f"{folder} cannot be read: {error}") from error
    for one in folders:
        for name, (mode, oid, digest) in zip(one.names, contents, strict=False):
            path = one.prefix + name
            rows.append(Row(path, mode, oid))
            if digests is not None:
                digests[path] = digest
    return sorted(rows, key=_by_path)


def _walked(
    top: bytes,
    rows: list[Row],
    formats: tuple[str, str],
    digests: MutableMapping[bytes, str] | None,
    *,
    names_only: bool,
) -> list[_Folder]:
    """Return the folders with files to read; everything else is added to the rows."""
    folders: list[_Folder] = []
    pending = [(top, b"")]
    while pending:
        place, prefix = pending.pop()
        names: list[bytes] = []
        with os.scandir(place) as entries:
            for entry in entries:
                if not names_only and entry.is_file(follow_symlinks=False):
                    names.append(entry.name)
                elif entry.is_dir(follow_symlinks=False):
                    pending.append((entry.path, prefix + entry.name + b"/"))
                else:
                    path = prefix + entry.name
                    mode, oid, digest = _seen(entry, formats, names_only=names_only)
                    rows.append(Row(path, mode, oid))
                    if digests is not None and oid:
                        digests[path] = digest
        if names:
            folders.append(_Folder(place, prefix, names))
    return folders


def _seen(entry: os.DirEntry[bytes], formats: tuple[str, str], *, names_only: bool) -> Content:
    """Return what there is to say without opening a file; no ids for what is neither file nor link."""
    if entry.is_symlink():
        target = os.readlink(entry.path) if not names_only else b""  # noqa: PTH115 - Path does not take bytes
        return LINK, *(("", "") if names_only else blob_hasher(*formats)(target))
    if not entry.is_file(follow_symlinks=False):
        return OTHER, "", ""
    return PROGRAM if entry.stat(follow_symlinks=False).st_mode & stat.S_IXUSR else FILE, "", ""


def _contents(folders: Sequence[_Folder], formats: tuple[str, str]) -> list[Content]:
    """Return the contents of all files, one folder after the other; of many, a second process reads the later half."""
    total = sum(len(one.names) for one in folders)
    if total < _WORTH_SHARING or not has_second_core():
        return _read(folders, formats)
    half, count = 0, 0
    while count < total // 2:
        count += len(folders[half].names)
        half += 1
    second = SecondProcess(partial(_read, folders[half:], formats))
    try:
        contents = _read(folders[:half], formats)
        rest = second.result()
    finally:
        second.stop()
    # Where the other could not read something, reading it here says what.
    return contents + (_read(folders[half:], formats) if rest is None else rest)


def _read(folders: Sequence[_Folder], formats: tuple[str, str]) -> list[Content]:
    contents: list[Content] = []
    ids_of = blob_hasher(*formats)
    for one in folders:
        # Names relative to an open folder are found without a walk along the path for each.
        opened = os.open(one.place, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)
        try:
            for name in one.names:
                mode, content = _file(name, opened)
                contents.append((mode, *ids_of(content)))
        finally:
            os.close(opened)
    return contents


def _file(name: bytes, folder: int) -> tuple[int, bytes]:
    # One opening for mode and content: on a large tree the calls take longer than the hashing.
    descriptor = os.open(name, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
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
