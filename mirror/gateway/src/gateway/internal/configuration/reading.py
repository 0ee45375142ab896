"""Typed access to plain values, with errors that name the place in the document.

``Place`` pairs a value with its path. A wrong type raises ``WrongValue``, which the loader turns into a
``ConfigurationError`` with the line.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gateway.internal.configuration.edits import Path, described
from gateway.internal.configuration.scalars import as_boolean, written


class WrongValue(Exception):  # noqa: N818 - it is always translated to a ConfigurationError
    """A value at ``path`` has the wrong type (``type_error``) or range."""

    def __init__(self, path: Path, problem: str, *, type_error: bool = True) -> None:
        self.path = path
        self.type_error = type_error
        super().__init__(f"{described(path)} {problem}")


@dataclass(frozen=True, slots=True)
class Place:
    """A value and its path."""

    value: Any
    path: Path = ()

    def at(self, key: str) -> "Place":
        """Return a member of this mapping; absent keys have the value None."""
        members = self.mapping()
        return Place(members.get(key), (*self.path, key))

    def mapping(self) -> dict[str, Any]:
        """Return this mapping; {} for null."""
        if self.value is None:
            return {}
        if not isinstance(self.value, dict):
            raise WrongValue(self.path, "must be a mapping (key: value lines)")
        return self.value

    def items(self) -> Iterator["Place"]:
        """Yield the items of this list; none for null."""
        if self.value is None:
            return
        if not isinstance(self.value, list):
            raise WrongValue(self.path, "must be a list (lines that start with a dash)")
        for position, item in enumerate(self.value):
            yield Place(item, (*self.path, position))

    def text(self, default: str = "") -> str:
        if self.value is None:
            return default
        text = written(self.value)
        if text is None:
            raise WrongValue(self.path, "must be a text")
        return text

    def texts(self) -> tuple[str, ...]:
        return tuple(item.text() for item in self.items())

    def boolean(self, default: bool = False) -> bool:
        """Return this boolean; the older words yes, no, on and off count too."""
        if self.value is None:
            return default
        value = as_boolean(self.value)
        if value is None:
            raise WrongValue(self.path, "must be true or false")
        return value

    def integer(self, default: int = 0) -> int:
        if self.value is None:
            return default
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise WrongValue(self.path, "must be a whole number")
        return int(self.value)
