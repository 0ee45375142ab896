"""Columns that the tables have in common."""

from typing import Any

from sqlalchemy import JSON, BigInteger, Boolean, Column, ForeignKey, Integer, String, Text, false
from sqlalchemy import text as sql_text


def time(name: str, *, nullable: bool = False) -> Column[int]:
    """Return a column of a time in milliseconds UTC."""
    return Column(name, BigInteger, nullable=nullable)


def text(name: str) -> Column[str]:
    """Return a column of text that is always there."""
    return Column(name, Text, nullable=False)


def token(name: str) -> Column[str]:
    """Return a column of an enumerated value."""
    return Column(name, String(32), nullable=False)


def flag(name: str) -> Column[bool]:
    """Return a column of a flag that is off by default."""
    return Column(name, Boolean, nullable=False, server_default=false())


def reasons(name: str) -> Column[Any]:
    """Return a column of reasons as codes with parameters, empty by default."""
    return Column(name, JSON, nullable=False, server_default=sql_text("'[]'"))


def hints() -> list[Column[str]]:
    """Return the columns of a key hint and a place, empty by default."""
    return [Column(name, Text, nullable=False, server_default=sql_text("''")) for name in ("key_hint", "place")]


def pool() -> Column[int]:
    """Return the column that refers to the pool."""
    return Column("pool_id", Integer, ForeignKey("pools.id"), nullable=False)
