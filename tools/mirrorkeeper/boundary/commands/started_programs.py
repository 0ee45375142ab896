"""Program of a command that Python starts word by word: `-m` of `pytest` or `tar` runs no module. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from functools import lru_cache

from ...syntax_tree import KEPT, nodes_of_kind
from .patterns import GAP, command_of_words

_STARTS_ANOTHER = re.compile(r"exec[lv]p?e?|spawn[lv]p?e?|posix_spawnp?|create_subprocess_exec")
_RUNNING = frozenset({"run", "run_always", "run_install"})
"""Functions that take the words of a command one by one, the program first, as a session of nox does."""
_PROGRAM = re.compile(r"[a-z][\w.-]+")


def literal_words(nodes: Sequence[ast.expr]) -> list[str | None]:
    """Return the words of a command; None for one that is no literal."""
    values = [node.value if isinstance(node, ast.Constant) else None for node in nodes]
    return [value if isinstance(value, str) else None for value in values]


def line_of_words(words: Sequence[str | None], node: ast.AST, tree: ast.Module) -> str:
    """Return the line of a command that is a list or a call; where its first word may be no program, any is meant."""
    first = words[0] if words else None
    named = not isinstance(node, ast.Call) or getattr(node.func, "attr", "") in _RUNNING
    if not named or first is None or not _PROGRAM.fullmatch(first) or _starts_another(tree):
        return command_of_words(words)
    return " ".join(GAP if word is None else word for word in words)


@lru_cache(maxsize=KEPT)
def _starts_another(tree: ast.Module) -> bool:
    """Return whether a call of the file names a program apart from the words it is given."""
    if any(one.arg == "executable" for one in nodes_of_kind(tree, ast.keyword)):
        return True
    names = [one.attr for one in nodes_of_kind(tree, ast.Attribute)] + [one.id for one in nodes_of_kind(tree, ast.Name)]
    return any(_STARTS_ANOTHER.fullmatch(name) for name in names)
