"""Writing of files that something relies on: whole and read back, or as they were.

A nearly full disk takes a part of a write and says so only in the count of its bytes, a full one may refuse as late as
at the flush, and some network file systems say nothing at all. So the content goes into a draft beside the place, is
flushed, read back and compared, and only then renamed. A draft that failed is removed.
"""

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

PRIVATE: Final = 0o600


def write_whole(path: Path, content: bytes, mode: int = PRIVATE, owner: tuple[int, int] | None = None) -> None:
    """Replace a file by one of this content and mode, and of this user and group where they are given.

    Raises:
        OSError: it cannot be written; what was at the path before is unchanged.
    """
    # One writer a process and place: a draft that a killed process of the same number left is replaced.
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        _write_draft(draft, content, mode, owner)
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
    sync_folder(path.parent)


def _write_draft(draft: Path, content: bytes, mode: int, owner: tuple[int, int] | None) -> None:
    draft.unlink(missing_ok=True)
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(draft, flags, mode), "w+b") as file:
        os.fchmod(file.fileno(), mode)
        if owner is not None:
            os.fchown(file.fileno(), *owner)
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
        file.seek(0)
        if file.read() != content:
            raise OSError(errno.EIO, "what was written reads differently", str(draft))


def sync_folder(path: Path) -> None:
    """Make the names of a folder durable."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
