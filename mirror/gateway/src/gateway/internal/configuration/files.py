"""The file system as a port, and its real implementation."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

_MEBIBYTE = 1024 * 1024
LONGEST_FILE = 64 * _MEBIBYTE
LONGEST_CONFIGURATION = 16 * _MEBIBYTE
"""Bytes of config.yaml, some 150,000 keys; parsing takes forty times as much memory."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Owner and permission bits of a file."""

    mode: int
    owner: int
    group: int


class Stamp(NamedTuple):
    """Metadata that changes when a file is written or replaced; times are in nanoseconds since 1970.

    ``changed_ns`` cannot be set by tools: it reveals a write of equal size that restores the time of modification.
    """

    modified_ns: int
    size: int
    inode: int
    changed_ns: int = 0


class SystemFiles:
    """The real file system. Only regular files are opened: reading a pipe or a device could block for ever."""

    def resolve(self, path: Path) -> Path:
        return path.resolve()

    def read(self, path: Path, longest: int = LONGEST_FILE) -> bytes:
        with os.fdopen(_regular(path, os.O_RDONLY), "rb") as file:
            content = file.read(longest + 1)
        if len(content) > longest:
            raise OSError(errno.EFBIG, too_large(longest))
        return content

    def stamp(self, path: Path) -> Stamp | None:
        try:
            status = path.stat()
        except FileNotFoundError:
            return None
        return Stamp(status.st_mtime_ns, status.st_size, status.st_ino, status.st_ctime_ns)

    def identity(self, path: Path) -> Identity | None:
        try:
            status = path.stat()
        except FileNotFoundError:
            return None
        return Identity(status.st_mode & 0o7777, status.st_uid, status.st_gid)

    def listing(self, folder: Path) -> list[Path]:
        return sorted(self._entries(folder, lambda entry: entry.is_file()))

    def subfolders(self, folder: Path) -> list[Path]:
        return sorted(self._entries(folder, lambda entry: entry.is_dir(follow_symlinks=False)))

    @staticmethod
    def _entries(folder: Path, accepts: Callable[[os.DirEntry[str]], bool]) -> Iterator[Path]:
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    with suppress(OSError):  # a link that leads to itself, say
                        if accepts(entry):
                            yield folder / entry.name
        except FileNotFoundError:
            return

    def create(self, path: Path, content: bytes, identity: Identity | None) -> None:
        descriptor = _regular(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW)
        with os.fdopen(descriptor, "wb") as file:
            os.ftruncate(descriptor, 0)
            if identity is not None:
                status = os.fstat(descriptor)
                if (status.st_uid, status.st_gid) != (identity.owner, identity.group):
                    os.fchown(descriptor, identity.owner, identity.group)
                os.fchmod(descriptor, identity.mode)
            file.write(content)
            file.flush()
            os.fsync(descriptor)

    def replace(self, source: Path, target: Path) -> None:
        source.replace(target)

    def overwrite(self, path: Path, content: bytes) -> None:
        descriptor = _regular(path, os.O_WRONLY)
        with os.fdopen(descriptor, "wb") as file:
            os.ftruncate(descriptor, 0)
            file.write(content)
            file.flush()
            os.fsync(descriptor)

    def remove(self, path: Path) -> None:
        path.unlink()

    def sync_folder(self, path: Path) -> None:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def make_folder(self, path: Path) -> None:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)


def too_large(longest: int) -> str:
    return f"larger than {longest / _MEBIBYTE:g} MiB"


def _regular(path: Path, flags: int) -> int:
    """Open a regular file without ever waiting for it; raise OSError for anything else.

    The file is examined before as well: opening a pipe unblocks its writer, and opening a device may have effects.
    """
    with suppress(FileNotFoundError):
        _require_regular(path.stat(follow_symlinks=not flags & os.O_NOFOLLOW))
    descriptor = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, 0o600)
    try:
        _require_regular(os.fstat(descriptor))
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _require_regular(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file")
