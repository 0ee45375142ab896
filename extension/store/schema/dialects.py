"""Differences between SQLite and PostgreSQL in statements and types, all in one place.

Engines, transactions and errors differ in `extension.store.database.sqlite` and `extension.store.database.postgresql`.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeVar

from sqlalchemy import BigInteger, ColumnElement, Connection, Dialect, Integer, Table, Text, cast
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator

T = TypeVar("T")

POSTGRESQL: Final = "postgresql"
_CHUNK: Final = 400

SEQUENCE: Final = BigInteger().with_variant(Integer(), "sqlite")
"""Type of an ascending key; SQLite counts up by itself in a column of exactly the type INTEGER, which has 64 bits."""


def upsert(connection: Connection, table: Table) -> Any:
    """Return an INSERT that accepts a clause for rows that are there."""
    if connection.dialect.name == POSTGRESQL:
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)
    from sqlalchemy.dialects import sqlite

    return sqlite.insert(table)


def chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield parts that fit into the parameters of one statement."""
    return (items[start : start + _CHUNK] for start in range(0, len(items), _CHUNK))


class byte_length(FunctionElement[int]):  # noqa: N801 - SQLAlchemy spells functions in lower case
    """Number of bytes of a text or JSON column."""

    type = Integer()
    inherit_cache = True

    def __init__(self, column: ColumnElement[Any]) -> None:
        super().__init__(cast(column, Text))


@compiles(byte_length, "sqlite")
def _byte_length_in_sqlite(element: byte_length, compiler: SQLCompiler, **more: Any) -> str:
    # octet_length() is newer than the SQLite of Python 3.11 on many systems.
    return f"length(CAST({compiler.process(element.clauses, **more)} AS BLOB))"


@compiles(byte_length, POSTGRESQL)
def _byte_length_in_postgresql(element: byte_length, compiler: SQLCompiler, **more: Any) -> str:
    return f"octet_length({compiler.process(element.clauses, **more)})"


def now_ms(connection: Connection) -> int:
    """Return the time of the database's own clock, integer milliseconds UTC."""
    if connection.dialect.name == POSTGRESQL:
        statement = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    else:
        statement = "SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
    return int(connection.exec_driver_sql(statement).scalar_one())


class RareCount(TypeDecorator[int]):
    """A whole number whose 0 is stored as NULL, which takes no place in a row of PostgreSQL.

    A sum over the column is a number again, 0 where every row has NULL. In conditions a 0 equals nothing.
    """

    impl = Integer
    cache_ok = True

    def process_bind_param(self, value: int | None, dialect: Dialect) -> int | None:  # noqa: ARG002 - as the library calls it
        """Return what is stored."""
        return value or None

    def process_result_value(self, value: Any, dialect: Dialect) -> int:  # noqa: ARG002 - as the library calls it
        """Return the number that was stored."""
        return int(value or 0)
