"""A new SQLite database gets the newest schema at once, from `newest_schema.sql`.

The file is the schema as the migrations leave it, written by `make docs` and compared by a test. Running all of them
on an empty database takes 0.15 s of processor time at each first start, and Alembic's import as much again. A file that
lacks the newest migrations does no harm: it carries its own revision, and the missing ones run after it.
"""

import sqlite3
from collections.abc import Iterator
from importlib.resources import files
from typing import Final

from sqlalchemy import Connection

from extension.store.schema.dialects import POSTGRESQL
from extension.store.schema.revisions import VERSION_TABLE

NEWEST_SCHEMA: Final = "newest_schema.sql"

_CONSTRAINT: Final = "\tCONSTRAINT "
_OBJECTS: Final = (
    "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
    "ORDER BY type DESC, name"
)


def create_if_empty(connection: Connection) -> None:
    """Make the tables of `newest_schema.sql` in a SQLite database without any, in the caller's transaction."""
    if connection.dialect.name == POSTGRESQL or connection.exec_driver_sql("SELECT 1 FROM sqlite_master").first():
        return
    for statement in _statements(files("extension.store.schema").joinpath(NEWEST_SCHEMA).read_text(encoding="utf-8")):
        connection.exec_driver_sql(statement)


def schema_of(connection: Connection) -> str:
    """Return the statements that make the schema of a migrated SQLite database, as `newest_schema.sql` has them."""
    made = [_tidied(str(row[0])) for row in connection.exec_driver_sql(_OBJECTS)]
    revision = connection.exec_driver_sql(f"SELECT version_num FROM {VERSION_TABLE}").scalar_one()  # noqa: S608
    made.append(f"INSERT INTO {VERSION_TABLE} VALUES ('{revision}')")  # noqa: S608
    return "".join(f"{statement};\n" for statement in made)


def _tidied(statement: str) -> str:
    """Take away spaces at the ends of lines and sort the constraints: Alembic's order differs from run to run."""
    lines = [line.rstrip() for line in statement.strip().splitlines()]
    if not any(line.startswith(_CONSTRAINT) for line in lines):
        return "\n".join(lines)
    end = lines.index(")")
    members = [line.removesuffix(",") for line in lines[1:end]]
    members.sort(key=lambda line: line if line.startswith(_CONSTRAINT) else "")
    return "\n".join((lines[0], ",\n".join(members), *lines[end:]))


def _statements(script: str) -> Iterator[str]:
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
