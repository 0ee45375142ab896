"""Reading of files whose names people can put anything at: a pipe would keep a reader waiting for ever."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO


class NotRegularError(OSError):
    """Something else than a file stands at the path."""


def read_regular_file(path: Path) -> bytes:
    """Return the bytes of a file, links followed; a pipe, socket, device or folder is not read.

    Raises:
        OSError: it cannot be read, or is no file.
    """
    with open_regular_file(path) as file:
        return file.read()


def open_regular_file(path: Path) -> BinaryIO:
    """Open a file to read its bytes; otherwise as `read_regular_file`.

    Raises:
        OSError: it cannot be opened, or is no file.
    """
    # Not even opened, since that may already do something to a device.
    _refuse(path.stat().st_mode)
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), "rb")
    try:
        _refuse(os.fstat(file.fileno()).st_mode)  # it may have been exchanged since
    except BaseException:
        file.close()
        raise
    return file


def _refuse(mode: int) -> None:
    kind = _kind(mode)
    if kind:
        raise NotRegularError(0, f"it is a {kind}, not a file")


def _kind(mode: int) -> str:
    if stat.S_ISREG(mode):
        return ""
    kinds = ((stat.S_ISDIR, "folder"), (stat.S_ISFIFO, "pipe"), (stat.S_ISSOCK, "socket"))
    return next((name for is_one, name in kinds if is_one(mode)), "device")
