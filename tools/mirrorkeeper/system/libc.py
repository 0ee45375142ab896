"""Two calls of the C library that Python does not offer: swapping two names, and flushing one file system."""

from __future__ import annotations

import ctypes
import errno
import os
from pathlib import Path

_HERE = -100
_EXCHANGE = 2
_CANNOT_EXCHANGE = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EXDEV}
_LIBRARY = ctypes.CDLL(None, use_errno=True)


def exchange_names(one: Path, other: Path) -> bool:
    """Swap two names in one step; False where the kernel or the file system does not offer it."""
    renameat2 = getattr(_LIBRARY, "renameat2", None)
    if renameat2 is None:
        return False
    if renameat2(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in _CANNOT_EXCHANGE:
        return False
    raise OSError(number, os.strerror(number), str(other))


def flush_file_system(folder: Path) -> None:
    """Return after everything written on the file system of `folder` is on the disk."""
    syncfs = getattr(_LIBRARY, "syncfs", None)
    if syncfs is None:
        os.sync()
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        if syncfs(descriptor) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), str(folder))
    finally:
        os.close(descriptor)
