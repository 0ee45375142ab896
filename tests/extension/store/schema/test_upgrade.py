import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import JSON

from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.database.sqlite import SQLiteStorage
from extension.store.errors import DatabaseTooNew
from extension.store.schema import upgrade as schema
from extension.store.schema.lease_tables import LEASES
from extension.store.schema.price_tables import API_KEY_ALIASES, MODEL_PRICES
from extension.store.schema.revisions import known_revisions, newest_revision
from extension.store.schema.tables import METADATA
from extension.store.schema.usage_tables import USAGE_EVENTS

# Imported, so that the tables of prices and leases are among those compared.
assert {MODEL_PRICES.name, API_KEY_ALIASES.name, LEASES.name} <= METADATA.tables.keys()

STORE = Path(schema.__file__).parent
SCRIPTS = ScriptDirectory.from_config(schema.configuration())


def test_the_tables_of_usage_belong_to_the_same_schema() -> None:
    assert METADATA.tables["usage_events"] is USAGE_EVENTS


def test_there_is_one_newest_revision() -> None:
    assert SCRIPTS.get_heads() == [newest_revision()]


def test_the_file_of_a_migration_is_named_after_its_revision() -> None:
    assert {script.revision for script in SCRIPTS.walk_revisions()} == known_revisions()


def different_default(*compared: Any) -> bool | None:
    """Compare JSON by its text, as PostgreSQL cannot compare its values, and leave the rest to Alembic."""
    _, _, column, stored, _, wanted = compared
    if not isinstance(column.type, JSON) or stored is None or wanted is None:
        return None
    return bool(stored.removesuffix("::json") != wanted)


async def test_the_migrations_make_exactly_the_tables_that_queries_are_written_against(database: Database) -> None:
    def differences(transaction: Transaction) -> list[object]:
        options = {"compare_type": True, "compare_server_default": different_default}
        context = MigrationContext.configure(transaction, opts=options)
        return list(compare_metadata(context, METADATA))

    assert await database.read(differences) == []


@pytest.mark.parametrize("migrated", [False, True])
def test_numbers_of_deleted_rows_are_not_given_again(folder: DataFolder, *, migrated: bool) -> None:
    engine = SQLiteStorage(folder).migrating_engine()
    folder.private_file(folder.database)
    with engine.begin() as transaction:
        if migrated:
            schema.upgrade_to(transaction, "head")
        else:
            schema.upgrade_to_head(transaction)
        rows = transaction.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        made = {str(row[0]): str(row[1]) for row in rows}
    engine.dispose()

    wanted = {name for name, table in METADATA.tables.items() if table.dialect_options["sqlite"]["autoincrement"]}
    assert {"results", "actions", "runs", "batches", "usage_events"} <= wanted
    assert {name for name in wanted if "AUTOINCREMENT" not in made[name]} == set()


def test_tables_are_made_by_migrations_alone() -> None:
    calls = [path for path in STORE.rglob("*.py") if re.search(r"\.create_all\(", path.read_text(encoding="utf-8"))]
    assert calls == []


def test_every_constraint_and_index_has_a_name_of_the_convention() -> None:
    for table in METADATA.tables.values():
        for constraint in table.constraints:
            assert re.match(r"(pk|fk|uq)_", str(constraint.name)), (table.name, constraint)
        for index in table.indexes:
            assert re.match(r"(ix|uq)_", str(index.name)), (table.name, index)


async def test_opening_twice_migrates_once(folder: DataFolder) -> None:
    await (await Database.open(folder)).close()
    before = folder.database.stat().st_size
    await (await Database.open(folder)).close()
    assert folder.database.stat().st_size == before


async def test_a_database_of_a_newer_version_is_refused_and_left_alone(folder: DataFolder) -> None:
    await (await Database.open(folder)).close()
    with sqlite3.connect(folder.database) as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
    raw.close()
    with pytest.raises(DatabaseTooNew, match=r"newer version.*restore the backup"):
        await Database.open(folder)
    with sqlite3.connect(folder.database) as raw:
        assert raw.execute("SELECT version_num FROM alembic_version").fetchall() == [("9999",)]
    raw.close()


def test_the_first_revision_can_be_taken_back_and_made_again(folder: DataFolder) -> None:
    from alembic.command import downgrade

    folder.private_file(folder.database)
    engine = SQLiteStorage(folder).migrating_engine()
    with engine.begin() as transaction:
        schema.upgrade_to_head(transaction)
        config = schema.configuration()
        config.attributes["connection"] = transaction
        downgrade(config, "base")
        assert set(MigrationContext.configure(transaction).get_current_heads()) == set()
        schema.upgrade_to_head(transaction)
        assert MigrationContext.configure(transaction).get_current_heads() == (newest_revision(),)
    engine.dispose()
