"""Databases for the store's tests: SQLite's, and PostgreSQL's where statements or concurrency differ."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from adapter.privacy.secret import Secret
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.database.postgresql import PostgreSQLStorage
from extension.store.database.sqlite import SQLiteStorage
from extension.store.database.storage import Storage
from tests.postgresql.server import PostgreSQLServer


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[DataFolder]:
    with DataFolder.open(tmp_path / "data") as opened:
        yield opened


@pytest.fixture(scope="session")
def migrated(postgresql_server: PostgreSQLServer, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a database at the newest revision, to make others from."""
    name = postgresql_server.create()

    async def migrate() -> None:
        with DataFolder.open(tmp_path_factory.mktemp("template") / "data") as opened:
            storage = PostgreSQLStorage(Secret(postgresql_server.address(name)))
            await (await Database.open(opened, storage=storage)).close()

    asyncio.run(migrate())
    return name


@pytest.fixture
def postgresql(postgresql_server: PostgreSQLServer, migrated: str) -> Iterator[PostgreSQLStorage]:
    name = postgresql_server.create(migrated)
    yield PostgreSQLStorage(Secret(postgresql_server.address(name)))
    postgresql_server.drop(name)


@pytest.fixture
def storage(request: pytest.FixtureRequest, folder: DataFolder) -> Storage:
    """A new database: SQLite's, or with `BOTH_DATABASES` one of each kind."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return SQLiteStorage(folder)
    server: Storage = request.getfixturevalue("postgresql")
    return server


@pytest.fixture
async def database(storage: Storage, folder: DataFolder) -> AsyncIterator[Database]:
    opened = await Database.open(folder, storage=storage)
    yield opened
    await opened.close()
