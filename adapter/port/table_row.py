"""Rows of tables in code: a row that lacks a column is refused with the names of both."""

from collections.abc import Mapping
from dataclasses import MISSING, Field
from typing import Any


class TableRow(type):
    """Metaclass of dataclasses that are rows of a table; the first text given to a row names it in the refusal."""

    __dataclass_fields__: Mapping[str, Field[Any]]

    def __call__(cls, *values: Any, **columns: Any) -> Any:
        """Make a row.

        Raises:
            TypeError: a column is missing.
        """
        names = [field for field in cls.__dataclass_fields__.values() if field.init]
        named = {field.name for field, _ in zip(names, values, strict=False)} | set(columns)
        missing = [
            field.name
            for field in names
            if field.name not in named and field.default is MISSING and field.default_factory is MISSING
        ]
        if missing:
            row = next((value for value in (*values, *columns.values()) if isinstance(value, str)), "")
            raise TypeError(f"The row {row!r} of {cls.__name__} has no column {', '.join(missing)}: add it.")
        return super().__call__(*values, **columns)
