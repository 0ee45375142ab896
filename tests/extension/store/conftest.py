"""The store's tests run on both databases: on SQLite, and on a PostgreSQL database of their own."""

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
from tests.extension.store.templates import PostgreSQLTemplates, SQLiteTemplates, Templates
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


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def templates(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Templates:
    place = tmp_path_factory.mktemp(f"templates of {request.param}")
    if request.param == "sqlite":
        return SQLiteTemplates(place)
    return PostgreSQLTemplates(place, request.getfixturevalue("postgresql_server"), request.getfixturevalue("migrated"))


@pytest.fixture(params=["sqlite", "postgresql"])
def storage(request: pytest.FixtureRequest, folder: DataFolder) -> Storage:
    if request.param == "sqlite":
        return SQLiteStorage(folder)
    found: Storage = request.getfixturevalue("postgresql")
    return found


@pytest.fixture
async def database(storage: Storage, folder: DataFolder) -> AsyncIterator[Database]:
    opened = await Database.open(folder, storage=storage)
    yield opened
    await opened.close()
