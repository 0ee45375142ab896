"""A TOML table read strictly: every key has a type, and an unknown key is an error with a suggestion."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import ToolError
from ..system.regular_file import NotRegularError, read_regular_file
from ..tool_name import TOOL

_MISSING = object()
_LARGEST = (1 << 63) - 1
"""Python shows no number of more than some thousand digits."""


class Table:
    """One table of a file. Read every key it may have, then call `finish`."""

    def __init__(self, data: Mapping[str, Any], where: str) -> None:
        """Wrap parsed data; `where` names file and table for messages."""
        self._data = data
        self._where = where
        self._known: list[str] = []

    def text(self, key: str, default: str | None = None) -> str:
        """A string; without a default it must be there."""
        return str(self._value(key, str, "a text", default))

    def integer(self, key: str, default: int | None = None) -> int:
        """A whole number; without a default it must be there."""
        value = int(self._value(key, int, "a whole number", default))
        if abs(value) > _LARGEST:
            raise ToolError(f"{self._where}: `{key}` is larger than any number of TOML")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings; empty when it is not there."""
        values = self._value(key, list, "a list of texts", [])
        if not all(isinstance(value, str) for value in values):
            raise ToolError(f"{self._where}: `{key}` must be a list of texts")
        return tuple(values)

    def table(self, key: str) -> Table | None:
        """A table below this one, or None when it is not there."""
        value = self._value(key, dict, "a table", {})
        return Table(value, f"{self._where} [{key}]") if key in self._data else None

    def tables(self, key: str) -> tuple[Table, ...]:
        """A list of tables; empty when it is not there."""
        values = self._value(key, list, "a list of tables", [])
        if not all(isinstance(value, dict) for value in values):
            raise ToolError(f"{self._where}: `{key}` must be a list of tables")
        return tuple(Table(value, f"{self._where} [[{key}]] {at + 1}") for at, value in enumerate(values))

    def has(self, key: str) -> bool:
        """Return whether the key is there."""
        return key in self._data

    def refuse_zeros(self) -> None:
        """Refuse the character U+0000, which no path or name can have, in any text of the table or below it.

        Raises:
            ToolError: there is one; the message names the key.
        """
        for key, value in self._data.items():
            if _holds_zero(value) or "\0" in key:
                raise ToolError(
                    f"{self._where}: `{key}` holds the character U+0000", "no path or name has it: remove it"
                )

    def finish(self) -> None:
        """Refuse every key that was not read.

        Raises:
            ToolError: there is one; the message suggests the nearest key there is.
        """
        for key in self._data:
            if key not in self._known:
                from difflib import get_close_matches

                near = get_close_matches(key, self._known, n=1, cutoff=0.5)
                advice = f"did you mean `{near[0]}`?" if near else f"known keys: {', '.join(sorted(self._known))}"
                raise ToolError(f"{self._where}: unknown key `{key}`", advice)

    def _value(self, key: str, kind: type, said: str, default: Any) -> Any:
        self._known.append(key)
        value = self._data.get(key, _MISSING)
        if value is _MISSING:
            if default is None:
                near = self._misspelt(key)
                advice = f"did you mean `{key}` by `{near}`?" if near else f"it must be {said}"
                raise ToolError(f"{self._where}: `{key}` is missing", advice)
            return default
        if not isinstance(value, kind) or isinstance(value, bool):
            raise ToolError(f"{self._where}: `{key}` must be {said}")
        return value

    def _misspelt(self, key: str) -> str:
        """Return an unread key of the file that looks like this one with a slip; else empty."""
        from difflib import get_close_matches

        unknown = [one for one in self._data if one not in self._known]
        mixed = [one for one in unknown if sorted(one) == sorted(key)]
        # Closer than `patches` is to `path`: it is only asked for later.
        return next(iter(mixed or get_close_matches(key, unknown, n=1, cutoff=0.75)), "")


def _holds_zero(value: object) -> bool:
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, Mapping):
        return any(map(_holds_zero, (*value, *value.values())))
    return isinstance(value, list) and any(map(_holds_zero, value))


def read_text(path: Path, shown: str) -> str:
    """Read a UTF-8 file.

    Raises:
        ToolError: it is not there, cannot be read, or is not UTF-8.
    """
    try:
        return read_regular_file(path).decode("utf-8").replace("\r\n", "\n")
    except FileNotFoundError:
        raise ToolError(
            f"{shown} is not there (looked in {path.parent})",
            f"name the project with -C DIR, or write a first declaration: {TOOL} init --url URL",
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, NotRegularError) else error
        raise ToolError(f"{shown} cannot be read: {reason}") from error


def loads(text: str) -> dict[str, Any]:
    """Parse TOML; text that is nested too deeply for the parser counts as not valid.

    Raises:
        TOMLDecodeError: it is not valid.
    """
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise tomllib.TOMLDecodeError("nested too deeply to be read") from None


def parse_table(text: str, shown: str) -> Table:
    """Parse the text of a TOML file; `shown` is how messages name it.

    Raises:
        ToolError: it is not TOML; conflict markers get a message of their own.
    """
    try:
        return Table(loads(text), shown)
    except tomllib.TOMLDecodeError as error:
        # Looked for only now: the text of a commit may hold such lines, and a lock holds that text.
        if any(line.startswith(("<<<<<<< ", ">>>>>>> ")) for line in text.splitlines()):
            advice = f"settle the merge, then run `{TOOL} mirror sync`"
            raise ToolError(f"{shown} has conflict markers", advice) from error
        raise ToolError(f"{shown} is not valid TOML: {error}", "correct it, then run the command again") from error
    except ValueError as error:  # Python reads no number of more than some thousand digits
        text = f"{shown} is not valid TOML: a number has too many digits"
        raise ToolError(text, "correct it, then run the command again") from error
