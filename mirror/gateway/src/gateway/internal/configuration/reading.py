"""Typed access to plain values, with errors that know where in the document they are.

``Place`` pairs a value with its path. The loader asks it for text, numbers, booleans, lists and mappings; a wrong type
raises ``WrongValue``, which the loader turns into a ``ConfigurationError`` with the line.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gateway.internal.configuration.edits import Path, described
from gateway.internal.configuration.scalars import written

_YES = frozenset({"true", "yes", "on", "y"})
_NO = frozenset({"false", "no", "off", "n", ""})


class WrongValue(Exception):  # noqa: N818 - it is always translated to a ConfigurationError
    """A value has the wrong type or range. ``path`` says where it stands, ``type_error`` which of them it is."""

    def __init__(self, path: Path, problem: str, *, type_error: bool = True) -> None:
        self.path = path
        self.type_error = type_error
        super().__init__(f"{described(path)} {problem}")


@dataclass(frozen=True, slots=True)
class Place:
    """A value and where it stands."""

    value: Any
    path: Path = ()

    def at(self, key: str) -> "Place":
        """Return the place of a key of this mapping; absent keys have the value None."""
        members = self.mapping()
        return Place(members.get(key), (*self.path, key))

    def mapping(self) -> dict[str, Any]:
        """Return this mapping; {} when nothing stands here."""
        if self.value is None:
            return {}
        if not isinstance(self.value, dict):
            raise WrongValue(self.path, "must be a mapping (key: value lines)")
        return self.value

    def items(self) -> Iterator["Place"]:
        """Yield the places of this list's items; nothing when nothing stands here."""
        if self.value is None:
            return
        if not isinstance(self.value, list):
            raise WrongValue(self.path, "must be a list (lines that start with a dash)")
        for position, item in enumerate(self.value):
            yield Place(item, (*self.path, position))

    def text(self, default: str = "") -> str:
        """Return this scalar as written."""
        if self.value is None:
            return default
        text = written(self.value)
        if text is None:
            raise WrongValue(self.path, "must be a text")
        return text

    def texts(self) -> tuple[str, ...]:
        """Return this list of texts, as written."""
        return tuple(item.text() for item in self.items())

    def boolean(self, default: bool = False) -> bool:
        """Return this boolean; the older words yes, no, on and off count too."""
        if self.value is None:
            return default
        word = (written(self.value) or "?").lower()
        if isinstance(self.value, bool | str) and word in _YES | _NO:
            return word in _YES
        raise WrongValue(self.path, "must be true or false")

    def integer(self, default: int = 0) -> int:
        """Return this integer."""
        if self.value is None:
            return default
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise WrongValue(self.path, "must be a whole number")
        return int(self.value)
