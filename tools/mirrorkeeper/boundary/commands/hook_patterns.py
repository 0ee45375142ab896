"""Patterns that pre-commit looks for in files, as hooks of the language `pygrep`: they run nowhere. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_FILES = (".pre-commit-config.yaml", ".pre-commit-hooks.yaml")
_ITEM = re.compile(r"\s*-\s")
_KEY = re.compile(r"([\s-]*)(language|entry):\s+(\S.*)")
_OF_SEVERAL_LINES = "|>{[&*!"


def without_hook_patterns(text: str, path: str) -> str:
    """Return the text of a file of hooks with an empty line for each pattern; any other text as it is.

    A hook counts whose keys stand in the same column, each once: a text of several lines is indented deeper.
    """
    if path.rpartition("/")[2] not in _FILES or "pygrep" not in text:
        return text
    lines = text.split("\n")
    for first, end in _items(lines):
        found = [(at, key) for at in range(first, end) if (key := _KEY.fullmatch(lines[at].rstrip()))]
        names = sorted(key[2] for _, key in found)
        values = {key[2]: (at, key[3], len(key[1])) for at, key in found}
        if names == ["entry", "language"] and values["language"][1:] == ("pygrep", values["entry"][2]):
            at, value, _ = values["entry"]
            lines[at] = lines[at] if value[0] in _OF_SEVERAL_LINES else ""
    return "\n".join(lines)


def _items(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    begun = [at for at, line in enumerate(lines) if _ITEM.match(line)]
    yield from zip(begun, [*begun[1:], len(lines)], strict=True)
