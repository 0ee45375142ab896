"""A folder beside the project for as long as something is worked out in it.

Theory of operation: a process that is killed leaves its folder behind. Each folder is locked by the process that made
it; the system releases the lock when that process ends, however it ends. A process that makes its first folder removes
those of ended ones: it takes the lock of each folder that nothing holds, so that two never remove the same one.
"""

from __future__ import annotations

import fcntl
import os
import re
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path

from ..tool_name import DISTRIBUTION
from .children import CHILDREN
from .signals import held_signals

_TIMES = 20
_PAUSE = 0.05
_OURS = f"{DISTRIBUTION}-"
_RANDOM = 8
_MODE = 0o700
_OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def working_folder(prefix: str) -> Iterator[str]:
    """Make a folder, and remove it at the end of the block; processes started in it must not write there any more."""
    place = _place()
    remove_abandoned(place)
    with held_signals():
        folder, lock = _made(place, prefix)
    try:
        yield str(folder)
    except Exception:
        raise
    except BaseException:
        CHILDREN.end()
        raise
    finally:
        with held_signals():  # a second signal would leave the rest of it
            try:
                _remove(folder)
            finally:
                os.close(lock)


@lru_cache(maxsize=8)
def remove_abandoned(place: Path) -> None:
    """Remove the folders there whose processes have ended, once in this process; one that cannot be removed stays."""
    with os.scandir(place) as entries:
        names = [entry.name for entry in entries if entry.name.startswith(_OURS)]
    for name in names:
        if re.fullmatch(rf"{_OURS}[a-z-]*[0-9a-f]{{{2 * _RANDOM}}}", name) is None:
            continue
        with suppress(OSError):  # it is in use, gone or no folder, or the file system has no locks
            _remove_if_abandoned(place / name)


def _remove_if_abandoned(folder: Path) -> None:
    lock = os.open(folder, _OPEN)
    try:
        status = os.fstat(lock)
        if status.st_uid == os.geteuid() and stat.S_IMODE(status.st_mode) == _MODE:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove_tree(folder)
    finally:
        os.close(lock)


def _place() -> Path:
    """Return the folder for temporary ones as `tempfile` finds it, which is imported only where that is not plain.

    With what it needs itself it takes a fifth of the imports of a quick check.
    """
    named = Path(next(filter(None, map(os.environ.get, ("TMPDIR", "TEMP", "TMP"))), "/tmp"))  # noqa: S108
    if named.is_absolute() and named.is_dir() and os.access(named, os.W_OK | os.X_OK):
        return named
    import tempfile

    return Path(tempfile.gettempdir())


def _made(place: Path, prefix: str) -> tuple[Path, int]:
    """Make a folder that is this person's alone; return it and its lock."""
    while True:
        folder = place / f"{_OURS}{prefix}{os.urandom(_RANDOM).hex()}"
        folder.mkdir(_MODE)
        try:
            lock = os.open(folder, _OPEN)
        except FileNotFoundError:  # another process took it for an abandoned one before it was locked
            continue
        with suppress(OSError):  # a file system without locks: nothing removes it either
            fcntl.flock(lock, fcntl.LOCK_EX)
        if folder.exists():
            return folder, lock
        os.close(lock)


def _remove(folder: Path) -> None:
    """Remove it; a process that git started may end a little later than git itself."""
    for _ in range(_TIMES):
        try:
            _remove_tree(folder)
        except OSError:
            threading.Event().wait(_PAUSE)
        else:
            return
    _remove_tree(folder)


def _remove_tree(folder: Path | str) -> None:
    """Remove a folder and all below it; links are removed, never followed."""
    with suppress(FileNotFoundError):
        with os.scandir(folder) as found:
            entries = list(found)
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                _remove_tree(entry.path)
            else:
                Path(entry.path).unlink(missing_ok=True)
        Path(folder).rmdir()
