from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, create_engine

from extension.store.schema.new_database import create_if_empty, schema_of
from extension.store.schema.revisions import is_newest
from extension.store.schema.upgrade import upgrade_to


@pytest.fixture
def connection() -> Iterator[Connection]:
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def test_a_new_database_has_the_schema_that_the_migrations_make(connection: Connection) -> None:
    create_if_empty(connection)
    made_at_once = schema_of(connection)

    migrated = create_engine("sqlite://")
    with migrated.begin() as another:
        upgrade_to(another, "head")
        assert schema_of(another) == made_at_once
    migrated.dispose()
    assert is_newest(connection)


def test_a_database_with_any_table_is_left_alone(connection: Connection) -> None:
    connection.exec_driver_sql("CREATE TABLE notes (text TEXT)")

    create_if_empty(connection)

    assert connection.exec_driver_sql("SELECT name FROM sqlite_master").scalars().all() == ["notes"]
