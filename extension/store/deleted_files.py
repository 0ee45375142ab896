"""Copies of deleted auth files and of configurations: made before the change, removed after 30 days.

Theory of operation: a copy holds credentials, so it is sealed with the key of the installation, and nothing but a
restoration opens it. Every process on the database can restore it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog

from adapter.clock import Clock
from adapter.privacy.secret import Secret
from extension.store import sealed_documents
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.errors import SealBroken
from extension.store.sealed_documents import DocumentKind, SealedDocument
from extension.store.sealing import Seal

KEPT_MS: Final = 30 * 24 * 3_600_000
"""Milliseconds for which the copy of a deleted file is kept."""
CONFIGURATIONS: Final = "configurations"
"""Folder of configurations that could not be brought back, for a person."""
_PRIVATE_FOLDER: Final = 0o700

_log = structlog.get_logger("poolkeeper.store")


@dataclass(frozen=True, slots=True)
class DeletedFile:
    """Copy of a deleted file, without its content: account, name, and time of the deletion in milliseconds UTC."""

    document: SealedDocument

    @property
    def account_id(self) -> int:
        """Number of its account, or of the batch of a configuration."""
        return self.document.subject

    @property
    def name(self) -> str:
        """Name of the file."""
        return self.document.name

    @property
    def deleted_at(self) -> int:
        """Time of its deletion, in milliseconds UTC."""
        return self.document.at

    @property
    def kept_until(self) -> int:
        """Time of its removal, in milliseconds UTC."""
        return self.deleted_at + KEPT_MS


@dataclass(frozen=True, slots=True)
class CopySetup:
    """Seal of copies, and the data folder for configurations that could not be brought back."""

    seal: Seal
    folder: DataFolder


class DeletedFiles:
    """Copies of one kind in one pool; `pool_id` returns its number."""

    def __init__(
        self, database: Database, setup: CopySetup, clock: Clock, pool_id: Callable[[], int], kind: DocumentKind
    ) -> None:
        self._database = database
        self._setup = setup
        self._clock = clock
        self._pool_id = pool_id
        self._kind = kind

    async def keep(self, account_id: int, name: str, content: Secret) -> DeletedFile:
        """Store the content of a file that is about to be deleted.

        Raises StoreError: it cannot be stored, so the file must not be deleted.
        """
        document = SealedDocument(0, self._pool_id(), self._kind.value, account_id, name, self._clock.now_ms())
        seal = self._setup.seal
        return DeletedFile(await self._database.write(sealed_documents.add, seal, document, content))

    async def newest(self, account_id: int) -> DeletedFile | None:
        """Return the last copy of an account's file that is kept; None without one."""
        return next((copy for copy in await self.all() if copy.account_id == account_id), None)

    async def all(self) -> tuple[DeletedFile, ...]:
        """Return the copies that are kept, the newest first."""
        limit = self._clock.now_ms() - KEPT_MS
        documents = await self._database.read(sealed_documents.every, self._pool_id(), self._kind)
        return tuple(DeletedFile(document) for document in documents if document.at > limit)

    async def content(self, copy: DeletedFile) -> Secret | None:
        """Return the content of a copy; None where it cannot be read."""
        try:
            return await self._database.read(sealed_documents.content, self._setup.seal, copy.document)
        except SealBroken:
            _log.warning("the copy of a deleted file cannot be read", name=copy.name, account=copy.account_id)
            return None

    async def forget(self, copy: DeletedFile) -> None:
        """Remove a copy whose file is back, or was not deleted."""
        await self._database.write(sealed_documents.remove, copy.document.id)

    def export(self, copy: DeletedFile, content: Secret) -> Path:
        """Write a copy into the data folder, mode 0600, for a person, and return where it is. Raises OSError."""
        folder = self._setup.folder.path / CONFIGURATIONS
        folder.mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)
        path = folder / f"{copy.account_id}-{copy.deleted_at}"
        self._setup.folder.write_private(path, content.reveal())
        return path


async def prune(database: Database, clock: Clock) -> int:
    """Remove the copies older than 30 days, of every pool, and return their number. Raises StoreError."""
    return await database.write(sealed_documents.prune, clock.now_ms() - KEPT_MS)
