"""Paths written out in the code instead of taken from the tables, found on syntax trees. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ..findings import Finding


def literal_findings(tree: ast.Module, shown: str, paths: Sequence[str]) -> Iterator[Finding]:
    """A finding for every text of the file, docstrings left out, that is or begins with one of `paths`."""
    described = {id(one) for node in ast.walk(tree) if (one := _docstring(node)) is not None}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in described:
            text = node.value
            if any(text == path or text.startswith(path + "/") for path in paths):
                fix = "take it from the tables of the contract"
                yield Finding("CON012", shown.encode(), f"writes out the path {text!r}", fix, node.lineno)


def _docstring(node: ast.AST) -> ast.expr | None:
    """The text that describes a module, class, function or, as a bare statement, a constant."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return node.value
    return None
