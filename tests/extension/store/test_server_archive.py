"""Backups of a PostgreSQL database: consistent while services write, restored as a whole or not at all."""

import asyncio
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import MetaData, Table, func, select

from adapter.privacy.secret import Secret
from extension.store import leases, prices
from extension.store.archive.archives import back_up, restore
from extension.store.archive.container import DATABASE
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.database.postgresql import PostgreSQLStorage
from extension.store.errors import ArchiveRefused, DatabaseTrouble
from extension.store.installation import installation_key
from extension.store.schema.upgrade import newest_revision
from extension.store.usage import events
from extension.store.usage.records import UsageFilter
from tests.extension.store.rows import add_pool
from tests.extension.store.test_archive import NOW, filled, record
from tests.extension.store.usage.samples import events as drawn
from tests.extension.store.usage.samples import store_all
from tests.postgresql.server import PostgreSQLServer


async def names(folder: DataFolder, storage: PostgreSQLStorage) -> list[str]:
    database = await Database.open(folder, storage=storage)
    rows = [row.alias for row in await database.read(prices.all_aliases)]
    await database.close()
    return rows


@pytest.fixture
def other(postgresql_address: str) -> PostgreSQLStorage:
    """An empty database to restore into."""
    return PostgreSQLStorage(Secret(postgresql_address))


async def test_a_backup_made_while_services_write_is_restored_with_everything(
    folder: DataFolder, postgresql: PostgreSQLStorage, other: PostgreSQLStorage, tmp_path: Path
) -> None:
    key = installation_key(folder)
    database = await Database.open(folder, storage=postgresql)
    pool_id = await database.write(add_pool)
    stored = drawn(200)
    await database.write(partial(store_all, pool_id=pool_id, pairs=stored))
    written, begun = 0, asyncio.Event()

    async def write() -> None:
        nonlocal written
        while written < 500:
            await database.write(partial(prices.put_alias, record=record(written)))
            written += 1
            if written == 10:
                begun.set()

    writing = asyncio.create_task(write())
    await begun.wait()
    before = written
    target = tmp_path / "backup"
    archive = await asyncio.to_thread(back_up, folder.path, postgresql.address, target, now=NOW)
    after = written
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    await database.close()
    assert (target.stat().st_mode & 0o777, "usage_events" in archive.tables) == (0o600, True)

    place = tmp_path / "other"
    assert restore(target, place, other.address, replace=False, now=NOW) == archive
    with DataFolder.open(place) as opened:
        assert installation_key(opened) == key
        tables = await names(opened, other)
        assert before <= len(tables) <= after + 1
        assert sorted(tables) == sorted(f"name {number}" for number in range(len(tables)))
        again = await Database.open(opened, storage=other)
        page = await again.read(partial(events.after, pool_id=pool_id, seq=0, usage_filter=UsageFilter(), limit=500))
        assert [table.event for table in page[0]] == stored
        # The numbers go on after those that were restored.
        await again.write(partial(store_all, pool_id=pool_id, pairs=drawn(3, seed=2)))
        assert await again.read(events.newest) == 203
        await again.close()


async def test_a_database_that_is_there_is_kept_beside_and_replaced_only_on_request(
    folder: DataFolder, postgresql: PostgreSQLStorage, tmp_path: Path
) -> None:
    installation_key(folder)
    database = await Database.open(folder, storage=postgresql)
    await database.write(partial(prices.put_alias, record=record(0)))
    back_up(folder.path, postgresql.address, tmp_path / "backup", now=NOW)
    await database.write(partial(prices.put_alias, record=record(1)))
    await database.write(lambda transaction: leases.claim(transaction, "engine", "a", "", 60_000))
    place = tmp_path / "other"
    with pytest.raises(ArchiveRefused, match="--replace"):
        restore(tmp_path / "backup", place, postgresql.address, replace=False, now=NOW)
    with pytest.raises(ArchiveRefused, match="Stop all"):
        restore(tmp_path / "backup", place, postgresql.address, replace=True, now=NOW)
    assert len(await database.read(prices.all_aliases)) == 2
    await database.write(lambda transaction: leases.extend(transaction, "engine", 1, 0))
    await database.close()
    restore(tmp_path / "backup", place, postgresql.address, replace=True, now=NOW)
    assert await names(folder, postgresql) == ["name 0"]
    kept = await Database.open(folder, storage=postgresql)
    former = Table("api_key_aliases", MetaData(), schema=f"before_restore_{NOW}")
    assert await kept.read(lambda transaction: transaction.scalar(select(func.count()).select_from(former))) == 2
    await kept.close()


async def test_a_refused_restore_leaves_database_and_folder_alone(
    folder: DataFolder, postgresql: PostgreSQLStorage, other: PostgreSQLStorage, tmp_path: Path
) -> None:
    installation_key(folder)
    await (await Database.open(folder, storage=postgresql)).close()
    back_up(folder.path, postgresql.address, tmp_path / "backup", now=NOW)
    content = (tmp_path / "backup").read_bytes()
    (tmp_path / "bad").write_bytes(content[: len(content) // 2])
    (tmp_path / "newer").write_bytes(content.replace(f"\n{newest_revision()}\n".encode(), b"\n9999\n", 1))
    place = tmp_path / "other"
    with pytest.raises(ArchiveRefused, match="does not hold"):
        restore(tmp_path / "bad", place, other.address, replace=True, now=NOW)
    with pytest.raises(ArchiveRefused, match="another version"):
        restore(tmp_path / "newer", place, other.address, replace=True, now=NOW)
    with pytest.raises(ArchiveRefused, match="PostgreSQL"):
        restore(tmp_path / "backup", place, None, replace=True, now=NOW)
    with pytest.raises(DatabaseTrouble, match="cannot be used"):
        restore(tmp_path / "backup", place, Secret("postgresql://x@/x?host=/nowhere"), replace=True, now=NOW)
    assert not place.exists()


async def test_a_backup_of_sqlite_is_not_restored_into_postgresql(other: PostgreSQLStorage, tmp_path: Path) -> None:
    with DataFolder.open(tmp_path / "sqlite") as opened:
        await filled(opened)
        archive = back_up(opened.path, None, tmp_path / "backup", now=NOW)
    assert DATABASE in archive.members
    with pytest.raises(ArchiveRefused, match="SQLite"):
        restore(tmp_path / "backup", tmp_path / "other", other.address, replace=True, now=NOW)
    assert not (tmp_path / "other").exists()


def test_a_database_without_our_tables_has_no_backup(
    folder: DataFolder, postgresql_server: PostgreSQLServer, tmp_path: Path
) -> None:
    installation_key(folder)
    address = Secret(postgresql_server.address("postgres"))
    with pytest.raises(ArchiveRefused, match="holds nothing of Poolkeeper"):
        back_up(folder.path, address, tmp_path / "backup", now=NOW)
    assert not (tmp_path / "backup").exists()
