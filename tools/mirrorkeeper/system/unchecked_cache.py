"""Compiled Python that is run whatever its source says (PEP 552)."""

from __future__ import annotations

from pathlib import Path

_FLAGS = slice(4, 8)
_UNCHECKED = 1


def is_unchecked_cache(path: Path) -> bool:
    """Return whether a cache names no time and asks for no comparison; false for a file that cannot be read."""
    if path.suffix != ".pyc":
        return False
    try:
        with path.open("rb") as file:
            return int.from_bytes(file.read(_FLAGS.stop)[_FLAGS], "little") == _UNCHECKED
    except OSError:
        return False
