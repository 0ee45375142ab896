"""Class names that stand for more than one class in the three roots: `python -m tests.repository.class_names`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tests.repository.docstring_words import ROOTS, files_below
from tests.repository.tracked import ROOT

ALLOWED: Mapping[str, str] = {
    "LazyGroup": "Command groups of two programs; the tools of the mirror import nothing of the project.",
    "Row": "A row of a terminal table, and a row of a git tree as git itself names it.",
    "Source": "The accounts an inspection covers, a stored setting; and the place an upstream is fetched from.",
}
"""Names that may stand for two classes, each with its reason."""
MOST = 5
"""Largest number of such names."""


def classes(tree: ast.Module) -> Iterator[str]:
    """Yield the name of each class, nested ones included."""
    yield from (node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def used_twice(files: Iterable[tuple[str, ast.Module]]) -> dict[str, list[str]]:
    """Return the names of more than one class, each with its files."""
    places: dict[str, list[str]] = {}
    for path, tree in files:
        for name in classes(tree):
            places.setdefault(name, []).append(path)
    return {name: found for name, found in sorted(places.items()) if len(found) > 1}


def parsed(folders: Iterable[Path]) -> Iterator[tuple[str, ast.Module]]:
    """Yield path and syntax tree of each Python file below the folders."""
    for folder in folders:
        for path in files_below(folder):
            yield str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8"))


def main() -> None:
    """Print each name with its files, and the reason of those that are allowed."""
    for name, files in used_twice(parsed(ROOT / root for root in ROOTS)).items():
        sys.stdout.write(f"{name}: {', '.join(files)}. {ALLOWED.get(name, 'Not allowed: rename one.')}\n")


if __name__ == "__main__":
    main()
