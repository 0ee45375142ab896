"""Databases that are filled once in a session; each test that begins with the same rows takes a copy."""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import TypeAlias

from adapter.privacy.secret import Secret
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.database.postgresql import PostgreSQLStorage
from extension.store.database.sqlite import SQLiteStorage
from extension.store.database.storage import Storage
from tests.postgresql.server import PostgreSQLServer

Fill: TypeAlias = Callable[[Transaction], object]


class Templates(ABC):
    """Filled databases of one kind, by a name for their rows."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._made: dict[str, str] = {}

    @asynccontextmanager
    async def opened(self, name: str, fill: Fill, folder: DataFolder) -> AsyncIterator[Database]:
        """Open a copy of the database with these rows, and fill one first where none has the name."""
        if name not in self._made:
            with DataFolder.open(self._place / f"template-{len(self._made)}") as source:
                self._made[name] = await self._filled(fill, source)
        with self._copied(self._made[name], folder) as storage:
            database = await Database.open(folder, storage=storage)
            yield database
            await database.close()

    @abstractmethod
    async def _filled(self, fill: Fill, source: DataFolder) -> str:
        """Make a database, and return where it is."""

    @abstractmethod
    def _copied(self, template: str, folder: DataFolder) -> AbstractContextManager[Storage]:
        """Give a copy for as long as the context lasts."""


class SQLiteTemplates(Templates):
    """Files."""

    async def _filled(self, fill: Fill, source: DataFolder) -> str:
        await _fill(fill, source, SQLiteStorage(source))
        return str(source.database)

    @contextmanager
    def _copied(self, template: str, folder: DataFolder) -> Iterator[Storage]:
        shutil.copyfile(template, folder.database)
        yield SQLiteStorage(folder)


class PostgreSQLTemplates(Templates):
    """Databases of a server, the first of which is at the newest revision and empty."""

    def __init__(self, place: Path, server: PostgreSQLServer, migrated: str) -> None:
        super().__init__(place)
        self._server = server
        self._migrated = migrated

    async def _filled(self, fill: Fill, source: DataFolder) -> str:
        name = self._server.create(self._migrated)
        await _fill(fill, source, PostgreSQLStorage(Secret(self._server.address(name))))
        return name

    @contextmanager
    def _copied(self, template: str, folder: DataFolder) -> Iterator[Storage]:
        del folder
        name = self._server.create(template)
        yield PostgreSQLStorage(Secret(self._server.address(name)))
        self._server.drop(name)


async def _fill(fill: Fill, folder: DataFolder, storage: Storage) -> None:
    database = await Database.open(folder, storage=storage)
    await database.write(fill)
    await database.close()
