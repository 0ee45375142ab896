"""The file system as this gateway uses it: a port, and the real one."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

_MEBIBYTE = 1024 * 1024
LONGEST_FILE = 64 * _MEBIBYTE
LONGEST_CONFIGURATION = 16 * _MEBIBYTE
"""Bytes of config.yaml, some 150,000 keys; read as a whole it takes forty times as much memory."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who owns a file and what its permission bits are."""

    mode: int
    owner: int
    group: int


class Stamp(NamedTuple):
    """What tells that a file was written or replaced.

    Both times are in nanoseconds since 1970. ``changed_ns`` is the one nobody can set: it tells of a write of as many
    bytes by a tool that sets the old time of modification again.
    """

    modified_ns: int
    size: int
    inode: int
    changed_ns: int = 0


class Files(Protocol):
    """Every call may raise OSError. A completed ``create`` or ``overwrite`` is on disk, not in a cache."""

    def resolve(self, path: Path) -> Path:
        """Return the absolute path with all links followed; the last part need not exist."""

    def read(self, path: Path, longest: int = LONGEST_FILE) -> bytes:
        """Return a file's content, of at most so many bytes."""

    def stamp(self, path: Path) -> Stamp | None:
        """Return what changes when a file is written or replaced; None when it does not exist."""

    def identity(self, path: Path) -> Identity | None:
        """Return owner and permissions of a file, None when it does not exist."""

    def listing(self, folder: Path) -> list[Path]:
        """Return the regular files directly in a folder, by name; [] when there is no such folder."""

    def subfolders(self, folder: Path) -> list[Path]:
        """Return the folders directly in a folder, by name, without links to folders; [] without such a folder."""

    def create(self, path: Path, content: bytes, identity: Identity | None) -> None:
        """Write a file that is to be private until it has the given identity (None: 0600, the process's own)."""

    def replace(self, source: Path, target: Path) -> None:
        """Rename a file over another, atomically."""

    def overwrite(self, path: Path, content: bytes) -> None:
        """Truncate an existing file and write it in place."""

    def remove(self, path: Path) -> None:
        """Remove a file."""

    def sync_folder(self, path: Path) -> None:
        """Make renames and removals in a folder durable."""

    def make_folder(self, path: Path) -> None:
        """Create a folder with its parents, private to the owner, unless it exists."""


class SystemFiles:
    """The real file system. Only regular files are opened: reading a pipe or a device could wait or go on for ever."""

    def resolve(self, path: Path) -> Path:
        """Return the absolute path with all links followed."""
        return path.resolve()

    def read(self, path: Path, longest: int = LONGEST_FILE) -> bytes:
        """Return a file's content, of at most so many bytes."""
        with os.fdopen(_regular(path, os.O_RDONLY), "rb") as file:
            content = file.read(longest + 1)
        if len(content) > longest:
            raise OSError(errno.EFBIG, too_large(longest))
        return content

    def stamp(self, path: Path) -> Stamp | None:
        """Return what changes when a file is written or replaced; None when it does not exist."""
        try:
            status = path.stat()
        except FileNotFoundError:
            return None
        return Stamp(status.st_mtime_ns, status.st_size, status.st_ino, status.st_ctime_ns)

    def identity(self, path: Path) -> Identity | None:
        """Return owner and permissions of a file, None when it does not exist."""
        try:
            status = path.stat()
        except FileNotFoundError:
            return None
        return Identity(status.st_mode & 0o7777, status.st_uid, status.st_gid)

    def listing(self, folder: Path) -> list[Path]:
        """Return the regular files directly in a folder, by name."""
        return sorted(self._entries(folder, lambda entry: entry.is_file()))

    def subfolders(self, folder: Path) -> list[Path]:
        """Return the folders directly in a folder, by name, without links to folders."""
        return sorted(self._entries(folder, lambda entry: entry.is_dir(follow_symlinks=False)))

    @staticmethod
    def _entries(folder: Path, wanted: Callable[[os.DirEntry[str]], bool]) -> Iterator[Path]:
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    with suppress(OSError):  # a link that leads to itself, say
                        if wanted(entry):
                            yield folder / entry.name
        except FileNotFoundError:
            return

    def create(self, path: Path, content: bytes, identity: Identity | None) -> None:
        """Write and sync a new file."""
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
        """Rename a file over another."""
        source.replace(target)

    def overwrite(self, path: Path, content: bytes) -> None:
        """Truncate an existing file, write and sync it."""
        descriptor = _regular(path, os.O_WRONLY)
        with os.fdopen(descriptor, "wb") as file:
            os.ftruncate(descriptor, 0)
            file.write(content)
            file.flush()
            os.fsync(descriptor)

    def remove(self, path: Path) -> None:
        """Remove a file."""
        path.unlink()

    def sync_folder(self, path: Path) -> None:
        """Sync a folder's entries."""
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def make_folder(self, path: Path) -> None:
        """Create a folder with its parents unless it exists."""
        path.mkdir(mode=0o700, parents=True, exist_ok=True)


def too_large(longest: int) -> str:
    """Return the words for a content of more bytes than that."""
    return f"larger than {longest / _MEBIBYTE:g} MiB"


def _regular(path: Path, flags: int) -> int:
    """Open a regular file without ever waiting for it; raise OSError for anything else.

    It is looked at before as well: to open a pipe lets its writer go on, and to open a device may do something.
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
