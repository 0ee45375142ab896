"""The file operations a crash may interrupt, behind one interface, so that tests can crash at each of them."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Protocol

_CANNOT_SHARE = {errno.EXDEV, errno.EPERM, errno.EACCES, errno.EMLINK, errno.ENOTSUP, errno.ENOSYS, errno.ENOENT}


class Files(Protocol):
    """Operations of the tools on the disk. Paths below a mirrored tree are raw bytes joined by the caller."""

    def make_folder(self, path: Path | bytes) -> None:
        """Create a folder and its parents; one that exists is left alone."""

    def write(self, path: Path | bytes, content: bytes, *, mode: int = 0o644) -> None:
        """Create or overwrite a file; it is on the disk for sure only after `flush` or `replace`."""

    def link(self, path: Path | bytes, target: bytes) -> None:
        """Create a symbolic link."""

    def share(self, source: bytes, target: bytes) -> bool:
        """Give a file a second name; False when this system or file system cannot, and nothing was done."""

    def rename(self, source: Path, target: Path) -> None:
        """Move `source` to `target`, replacing a file there."""

    def exchange(self, one: Path, other: Path) -> bool:
        """Swap two folders in one step; False when this system or file system cannot, and nothing was done."""

    def flush(self, folder: Path) -> None:
        """Return after everything written on the file system of `folder` is on the disk."""

    def remove(self, path: Path) -> None:
        """Remove a file, or a folder with all it holds; a missing one is fine."""


class DiskFiles:
    """The real thing."""

    def make_folder(self, path: Path | bytes) -> None:
        """Create with the permissions the user's umask leaves."""
        os.makedirs(path, exist_ok=True)  # noqa: PTH103 - a path may be bytes, which Path does not take

    def write(self, path: Path | bytes, content: bytes, *, mode: int = 0o644) -> None:
        """Write with exactly the permissions of `mode`, whatever the umask."""
        with open(path, "wb") as file:  # noqa: PTH123 - as above
            file.write(content)
            os.fchmod(file.fileno(), mode)

    def link(self, path: Path | bytes, target: bytes) -> None:
        """Create the link; whatever stands in the way is an error."""
        os.symlink(target, os.fsencode(path))  # noqa: PTH211 - the target is bytes

    def share(self, source: bytes, target: bytes) -> bool:
        """Make a hard link; a refusal (another file system, another owner, too many names) is no error."""
        try:
            os.link(source, target, follow_symlinks=False)
        except OSError as error:
            if error.errno in _CANNOT_SHARE:
                return False
            raise
        return True

    def rename(self, source: Path, target: Path) -> None:
        """Rename and bring both folders' entries to the disk."""
        source.replace(target)
        for folder in {source.parent, target.parent}:
            self._flush_entry(folder)

    def exchange(self, one: Path, other: Path) -> bool:
        """Swap through renameat2; False where the kernel or the file system does not offer it."""
        from .libc import exchange_names

        swapped = exchange_names(one, other)
        if swapped:
            for folder in {one.parent, other.parent}:
                self._flush_entry(folder)
        return swapped

    def flush(self, folder: Path) -> None:
        """One call for the whole file system: a file at a time would take seconds on a large tree."""
        from .libc import flush_file_system

        flush_file_system(folder)

    def remove(self, path: Path) -> None:
        """Remove a tree entry by entry; links are removed, never followed."""
        if path.is_dir() and not path.is_symlink():
            import shutil

            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

    @staticmethod
    def _flush_entry(folder: Path) -> None:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def replace_file(files: Files, path: Path, content: bytes) -> None:
    """Write `content` to `path` so that a reader, and a crash, sees the old file or the new one."""
    temporary = path.with_name(f".{path.name}.new")
    files.write(temporary, content)
    files.flush(path.parent)
    files.rename(temporary, path)
