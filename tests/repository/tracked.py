"""The files git tracks, read and parsed once, for the rules every file of the project is held to."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
ROOTS: Final = ("extension", "adapter", "tools")
"""Folders of the product and of its tools."""


@cache
def tracked_files() -> tuple[str, ...]:
    """Paths relative to the root, sorted; untracked files that are not ignored count, they are about to be tracked."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, check=True, capture_output=True).stdout
    return tuple(sorted({name for name in listing.decode().split("\0") if name and (ROOT / name).is_file()}))


@cache
def hand_written(*suffixes: str) -> tuple[str, ...]:
    """Files of these suffixes that people edit: neither mirrored nor generated."""
    return tuple(
        name
        for name in tracked_files()
        if name.endswith(suffixes)
        and not name.startswith(("mirror/gateway/", "extension/plugin/v1/"))
        and "_generated" not in name
    )


@cache
def text_of(name: str) -> str:
    """The file's text; bytes that are not UTF-8 come out replaced."""
    return (ROOT / name).read_text(encoding="utf-8", errors="replace")


@cache
def tree_of(name: str) -> ast.Module:
    """The syntax tree of a Python file."""
    return ast.parse(text_of(name))


def modules_below(*folders: str) -> tuple[str, ...]:
    """Python files of folders that people edit."""
    return tuple(name for name in hand_written(".py") if name.startswith(tuple(f"{folder}/" for folder in folders)))


def docstrings(tree: ast.Module) -> Iterator[str]:
    """Yield the text of each docstring, those of constants included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value
