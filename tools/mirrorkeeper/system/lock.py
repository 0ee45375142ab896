"""One process at a time: a lock on a file, with its holder in it."""

from __future__ import annotations

import fcntl
import os
from datetime import UTC, datetime
from pathlib import Path

from ..errors import ToolError

_LONGEST = 512


class ProcessLock:
    """An exclusive lock that the system releases when its holder dies, so it can never be stale."""

    def __init__(self, path: Path) -> None:
        """Name the file; nothing is locked yet."""
        self._path = path
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Take the lock or name its holder; never wait.

        Raises:
            ToolError: another process holds it.
        """
        while True:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = _told(descriptor)
                os.close(descriptor)
                raise ToolError(
                    f"another command is at work on the mirror ({holder})", "wait until it has ended"
                ) from None
            if self._is_current(descriptor):
                break
            # The last holder removed the file between our opening and locking it.
            os.close(descriptor)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"process {os.getpid()} on {os.uname().nodename}\n".encode(), 0)
        self._descriptor = descriptor

    def is_held(self) -> bool:
        """Return whether a process holds the lock now; no file is made for it."""
        try:
            descriptor = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False

    def release(self) -> None:
        """Give the lock back; without one nothing happens."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _is_current(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), self._path.stat())
        except FileNotFoundError:
            return False


def _told(descriptor: int) -> str:
    """Return process, machine and start of the lock's holder, as it wrote them into the file."""
    holder = os.pread(descriptor, _LONGEST, 0).decode("utf-8", "replace").strip() or "process unknown"
    since = datetime.fromtimestamp(os.fstat(descriptor).st_mtime, UTC)
    return f"{holder}, since {since:%Y-%m-%d %H:%M:%S} UTC"
