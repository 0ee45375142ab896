"""Type of a count that is nearly always 0."""

from typing import Any

from sqlalchemy import Dialect, Integer
from sqlalchemy.types import TypeDecorator


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
