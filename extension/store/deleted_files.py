"""Copies of deleted auth files in the data folder: made before the deletion, removed after 30 days.

Theory of operation: each copy is a file of mode 0600 in `deleted/`, named by account and time. It holds credentials,
so it is no part of the database, of an archive or of an answer; nothing but a restoration reads its content.
"""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final

import structlog

from adapter.clock import Clock
from adapter.privacy.secret import Secret
from extension.store.data_folder import DataFolder
from extension.store.regular_file import read_regular_json

KEPT_MS: Final = 30 * 24 * 3_600_000
"""Milliseconds for which the copy of a deleted file is kept."""
FOLDER: Final = "deleted"
CONFIGURATIONS: Final = "configurations"
"""Folder of the copies of a configuration before a write that drops parts; the batch takes the account's place."""
_PRIVATE_FOLDER: Final = 0o700
_LARGEST: Final = 128 * 1024 * 1024
"""Bytes of a copy: a gateway reads auth files of 64 MiB, and JSON needs more for the same text."""

_log = structlog.get_logger("poolkeeper.store")


@dataclass(frozen=True, slots=True)
class DeletedFile:
    """Copy of a deleted file, without its content: account, name, and time of the deletion in milliseconds UTC."""

    account_id: int
    name: str
    deleted_at: int

    @property
    def kept_until(self) -> int:
        """Time of its removal, in milliseconds UTC."""
        return self.deleted_at + KEPT_MS


class DeletedFiles:
    """Copies of the deleted files of one data folder."""

    def __init__(self, folder: DataFolder, clock: Clock, name: str = FOLDER) -> None:
        self._folder = folder
        self._path = folder.path / name
        self._writing = Lock()
        self._clock = clock

    async def keep(self, account_id: int, name: str, content: Secret) -> DeletedFile:
        """Store the content of a file that is about to be deleted.

        Raises OSError: it cannot be stored, so the file must not be deleted.
        """
        copy = DeletedFile(account_id, name, self._clock.now_ms())
        await asyncio.to_thread(self._write, copy, content)
        return copy

    async def newest(self, account_id: int) -> DeletedFile | None:
        """Return the last copy of an account's file that is kept; None without one."""
        return next((copy for copy in await self.all() if copy.account_id == account_id), None)

    async def all(self) -> tuple[DeletedFile, ...]:
        """Return the copies that are kept, the newest first."""
        return await asyncio.to_thread(self._list)

    async def content(self, copy: DeletedFile) -> Secret | None:
        """Return the content of a copy; None where it cannot be read."""
        value = await asyncio.to_thread(_read, self._file(copy))
        return None if value is None else Secret(value["content"])

    async def forget(self, copy: DeletedFile) -> None:
        """Remove a copy whose file is back, or was not deleted."""
        await asyncio.to_thread(_remove, self._file(copy))

    def path_of(self, copy: DeletedFile) -> str:
        """Return where a copy is."""
        return str(self._file(copy))

    async def prune(self) -> int:
        """Remove the copies older than 30 days, and return their number."""
        return await asyncio.to_thread(self._prune)

    def _file(self, copy: DeletedFile) -> Path:
        return self._path / f"{copy.account_id}-{copy.deleted_at}.json"

    def _write(self, copy: DeletedFile, content: Secret) -> None:
        self._path.mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)
        self._path.chmod(_PRIVATE_FOLDER)
        value = {"name": copy.name, "content": content.reveal()}
        with self._writing:
            self._remove_drafts()
            self._folder.write_private(self._file(copy), json.dumps(value))

    def _list(self) -> tuple[DeletedFile, ...]:
        limit = self._clock.now_ms() - KEPT_MS
        copies = [
            DeletedFile(account_id, value["name"], at)
            for path, account_id, at in _files(self._path)
            if at > limit and (value := _read(path)) is not None
        ]
        return tuple(sorted(copies, key=lambda copy: -copy.deleted_at))

    def _prune(self) -> int:
        limit = self._clock.now_ms() - KEPT_MS
        with self._writing:
            self._remove_drafts()
        return sum(_remove(path) for path, _, at in _files(self._path) if at <= limit)

    def _remove_drafts(self) -> None:
        """Remove what a killed process was writing: it holds credentials, and nothing else would remove it."""
        for draft in self._path.glob(".*.new"):
            _remove(draft)


def _files(folder: Path) -> Iterator[tuple[Path, int, int]]:
    """Yield the copies with account and time, which are their names; other files are left out."""
    for path in sorted(folder.glob("*-*.json")) if folder.is_dir() else ():
        account, _, at = path.stem.partition("-")
        if account.isdecimal() and at.isdecimal():
            yield path, int(account), int(at)


def _read(path: Path) -> dict[str, Any] | None:
    try:
        value = read_regular_json(path, _LARGEST)
    except (OSError, ValueError):
        value = None
    if isinstance(value, dict) and isinstance(value.get("name"), str) and isinstance(value.get("content"), str):
        return value
    _log.warning("the copy of a deleted file cannot be read", file=str(path))
    return None


def _remove(path: Path) -> bool:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        _log.warning("the copy of a deleted file cannot be removed", file=str(path), reason=error.strerror)
        return False
    return True
