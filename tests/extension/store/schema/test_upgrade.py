import re
import sqlite3
from functools import partial
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import JSON

from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.database.storage import Storage
from extension.store.errors import DatabaseTooNew, DatabaseTooOld, StoreError
from extension.store.schema import upgrade as schema
from extension.store.schema.tables import METADATA
from extension.store.schema.upgrade import known_revisions, newest_revision
from extension.store.usage.events import after
from extension.store.usage.records import UsageFilter
from extension.usage.record_form import EVERY_PART
from tests.extension.store.rows import BOTH_DATABASES, add_pool
from tests.extension.store.usage.samples import events as drawn
from tests.extension.store.usage.samples import store_all

SCRIPTS = ScriptDirectory.from_config(schema.configuration())


def test_there_is_one_newest_revision() -> None:
    assert SCRIPTS.get_heads() == [newest_revision()]


def test_the_file_of_a_migration_is_named_after_its_revision() -> None:
    assert {script.revision for script in SCRIPTS.walk_revisions()} == known_revisions()


def different_default(*compared: Any) -> bool | None:
    """Compare JSON by its text, as PostgreSQL cannot compare its values, and leave the rest to Alembic."""
    _, _, column, stored, _, expected = compared
    if not isinstance(column.type, JSON) or stored is None or expected is None:
        return None
    return bool(stored.removesuffix("::json") != expected)


@BOTH_DATABASES
async def test_a_new_database_has_exactly_the_tables_that_queries_are_written_against(database: Database) -> None:
    def differences(transaction: Transaction) -> list[object]:
        # Alembic does not know of an index that one program alone has.
        on_server = transaction.dialect.name == "postgresql"
        options = {
            "compare_type": True,
            "compare_server_default": different_default,
            "include_object": lambda _, name, *_more: on_server or name != "ix_usage_hours_of_name",
        }
        context = MigrationContext.configure(transaction, opts=options)
        return list(compare_metadata(context, METADATA))

    assert await database.read(differences) == []
    assert await database.read(schema.stored_revision) == newest_revision()


def test_numbers_of_deleted_rows_are_not_given_again() -> None:
    counted = {name for name, table in METADATA.tables.items() if table.dialect_options["sqlite"]["autoincrement"]}

    assert {"results", "actions", "runs", "batches", "usage_events"} <= counted


def test_every_constraint_and_index_has_a_name_of_the_convention() -> None:
    for table in METADATA.tables.values():
        for constraint in table.constraints:
            assert re.match(r"(pk|fk|uq)_", str(constraint.name)), (table.name, constraint)
        for index in table.indexes:
            assert re.match(r"(ix|uq)_", str(index.name)), (table.name, index)


async def test_opening_twice_makes_the_tables_once(folder: DataFolder) -> None:
    await (await Database.open(folder)).close()
    before = folder.database.stat().st_size
    await (await Database.open(folder)).close()
    assert folder.database.stat().st_size == before


@pytest.mark.parametrize(
    ("revision", "error", "text"),
    [
        ("9999", DatabaseTooNew, r"newer version.*restore the backup"),
        ("0024", DatabaseTooOld, r"before the first release.*Start with a new data folder"),
    ],
)
async def test_a_database_of_an_unknown_revision_is_refused_and_left_alone(
    folder: DataFolder, revision: str, error: type[StoreError], text: str
) -> None:
    await (await Database.open(folder)).close()
    with sqlite3.connect(folder.database) as raw:
        raw.execute("UPDATE alembic_version SET version_num = ?", (revision,))
    raw.close()

    with pytest.raises(error, match=text):
        await Database.open(folder)

    assert not list(folder.path.glob("*.bak"))
    with sqlite3.connect(folder.database) as raw:
        assert raw.execute("SELECT version_num FROM alembic_version").fetchall() == [(revision,)]
    raw.close()


@BOTH_DATABASES
async def test_events_from_before_hidden_parts_may_hide_every_part(storage: Storage, folder: DataFolder) -> None:
    database = await Database.open(folder, storage=storage)
    pool_id = await database.write(add_pool)
    await database.write(partial(store_all, pool_id=pool_id, pairs=drawn(3)))

    def revert(transaction: Transaction) -> None:
        for column in ("hidden", "searches"):
            transaction.exec_driver_sql(f"ALTER TABLE usage_events DROP COLUMN {column}")
        transaction.exec_driver_sql("ALTER TABLE accounts DROP COLUMN protected")
        transaction.exec_driver_sql("UPDATE alembic_version SET version_num = '0025'")

    await database.write(revert)
    await database.close()
    database = await Database.open(folder, storage=storage)
    stored, _ = await database.read(partial(after, pool_id=pool_id, seq=0, usage_filter=UsageFilter(), limit=9))
    await database.close()
    assert [row.event.hidden for row in stored] == [EVERY_PART] * 3
