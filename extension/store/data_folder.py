"""The data folder: made private, proved writable, and held by one service at a time."""

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from extension.store.errors import DataFolderInUse, DataFolderUnusable
from extension.store.whole_file import sync_folder, write_whole

_LOCK = "service.lock"
_UNFINISHED = "restore.unfinished"
_ROOM = ".room"
_ROOM_BYTES = 65_536
_PRIVATE_FOLDER = 0o700
_PRIVATE_FILE = 0o600


class DataFolder:
    """An open data folder, as a context manager: mode 0700, locked against a second service until it is closed.

    The lock is the kernel's (flock): it is gone the moment the process ends, however it ends.
    """

    def __init__(self, path: Path, lock: int) -> None:
        self.path = path
        self._lock = lock

    @classmethod
    def open(cls, path: Path, *, restoring: bool = False) -> Self:
        """Make the folder if it is not there, prove that it can be written, and take its lock.

        Raises:
            DataFolderUnusable: it cannot be made or written, holds files of another program, or holds a part of a
                backup, unless it is opened to restore one.
            DataFolderInUse: another service has it open.
        """
        try:
            _make_private(path)
            lock = os.open(path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, _PRIVATE_FILE)
        except OSError as error:
            raise _unusable(path, error) from error
        try:
            _hold(lock, path)
            if not restoring:
                _require_finished(path)
        except BaseException:
            os.close(lock)
            raise
        return cls(path, lock)

    @classmethod
    def without_files(cls, path: Path) -> Self:
        """Return a folder that cannot be used, for a service that goes on without it: nothing is made or locked."""
        return cls(path, -1)

    @staticmethod
    def remove_unused(path: Path) -> None:
        """Remove a closed folder that was opened and not used."""
        (path / _LOCK).unlink(missing_ok=True)
        with suppress(OSError):
            path.rmdir()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Keep services away from a change of several files that does not end."""
        note = self.path / _UNFINISHED
        self.write_private(note, "A restore has begun here and not ended.\n")
        yield
        sync_folder(self.path)
        note.unlink()
        sync_folder(self.path)

    def take(self, path: Path) -> None:
        """Move a file of the same file system into the folder, once its content is on the disk."""
        with path.open("rb") as file:
            os.fsync(file.fileno())
        path.replace(self.path / path.name)

    @property
    def database(self) -> Path:
        """Path of the database file, which may not exist yet."""
        return self.path / "poolkeeper.db"

    def private_file(self, path: Path) -> None:
        """Make an empty file of mode 0600 where there is none, and narrow the mode of one that is there.

        SQLite gives its side files the mode of the database, so the database has to exist with it beforehand.
        """
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, _PRIVATE_FILE)
            try:
                os.fchmod(descriptor, _PRIVATE_FILE)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise _unusable(self.path, error) from error

    def prove_room(self) -> None:
        """Write a small file and delete it, without waiting for the disk, or raise `DataFolderUnusable`."""
        probe = self.path / _ROOM
        try:
            descriptor = os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, _PRIVATE_FILE)
            try:
                if os.write(descriptor, bytes(_ROOM_BYTES)) < _ROOM_BYTES:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            finally:
                os.close(descriptor)
                probe.unlink(missing_ok=True)
        except OSError as error:
            raise _unusable(self.path, error) from error

    def write_private(self, path: Path, text: str) -> None:
        """Write a file of mode 0600, whole or not at all; what a crash left of a former attempt is removed."""
        for draft in path.parent.glob(f".{path.name}.*new"):
            draft.unlink()
        write_whole(path, text.encode())

    def close(self) -> None:
        """Let another service have the folder. Closing twice is harmless."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _require_finished(path: Path) -> None:
    if (path / _UNFINISHED).exists():
        raise DataFolderUnusable(
            f"A restore into {path} did not end. Run `poolkeeper restore FILE --replace` again; "
            "the former files are there with .before-restore- in their names."
        )


def _make_private(path: Path) -> None:
    path.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
    mode = path.stat().st_mode & 0o777
    if mode & _PRIVATE_FOLDER != _PRIVATE_FOLDER:
        # The mode is respected by root, too, although it would not stop root.
        raise DataFolderUnusable(
            f"The data folder {path} is read-only (mode {mode:03o}). "
            "Make it writable (chmod 700), or choose another folder (POOLKEEPER_DATA_DIR)."
        )
    if mode == _PRIVATE_FOLDER:
        return
    foreign = next((entry.name for entry in path.iterdir()), None)
    if foreign is not None and not (path / _LOCK).exists():
        # Narrowing the mode of a folder that others use (a mistyped /tmp, a home folder) would break them.
        raise DataFolderUnusable(
            f"{path} is to be the data folder, but it holds other things ({foreign}) and others may read it. "
            "Choose an empty folder, or make this one private (chmod 700)."
        )
    path.chmod(_PRIVATE_FOLDER)


def _hold(lock: int, path: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = 0
        with suppress(OSError, ValueError):
            holder = int(os.pread(lock, 20, 0))
        named = f" (process {holder})" if holder else ""
        raise DataFolderInUse(
            f"The data folder {path} is in use by another Poolkeeper{named}. "
            "Stop that one, or give this one a data folder of its own (POOLKEEPER_DATA_DIR).",
            holder,
        ) from error
    except OSError as error:
        raise _unusable(path, error) from error
    try:
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    except OSError as error:
        raise _unusable(path, error) from error


def _unusable(path: Path, error: OSError) -> DataFolderUnusable:
    full = error.errno in {errno.ENOSPC, errno.EDQUOT}
    step = "Make room on its disk" if full else "Give the service's user write access to it"
    return DataFolderUnusable(
        f"The data folder {path} cannot be used: {error.strerror or error}. "
        f"{step}, or choose another folder (POOLKEEPER_DATA_DIR)."
    )
