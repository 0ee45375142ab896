"""Reading of files that somebody else could have replaced: never a pipe, a device or an endless one."""

import errno
import json
import os
import stat
from pathlib import Path
from typing import Any, Final

LARGEST_CONFIGURATION: Final = 16 * 1024 * 1024
"""Bytes of a config.yaml, as in the embedded gateway."""
LARGEST_RECORD: Final = 1024 * 1024
"""Bytes of a file of the data folder or of a file with a key or settings."""

_FLAGS: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


def read_regular(path: Path, largest: int = LARGEST_RECORD) -> bytes:
    """Return the content of a regular file; links are followed.

    The kind is checked before the file is opened, since opening a pipe releases its writer and opening a device may
    have an effect, and again on the open descriptor, since the file may be replaced in between. Raises OSError: it
    cannot be read, is not a regular file, or has more than `largest` bytes.
    """
    _require_regular(path.stat(), path)
    with os.fdopen(os.open(path, _FLAGS), "rb") as file:
        _require_regular(os.fstat(file.fileno()), path)
        content = file.read(largest + 1)
    if len(content) > largest:
        raise OSError(errno.EFBIG, f"it is larger than {largest // 1024**2} MiB", str(path))
    return content


def read_regular_text(path: Path, largest: int = LARGEST_RECORD) -> str:
    """Return the content of a regular file as text, or raise `OSError` or `UnicodeDecodeError`."""
    return read_regular(path, largest).decode("utf-8")


def read_regular_json(path: Path, largest: int = LARGEST_RECORD) -> Any:
    """Return the JSON value in a regular file.

    Raises:
        OSError: as for `read_regular`.
        ValueError: it is no JSON in UTF-8, or nested deeper than can be read.
    """
    text = read_regular_text(path, largest)
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("The values of the file are nested too deep.") from None


def _require_regular(status: os.stat_result, path: Path) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
