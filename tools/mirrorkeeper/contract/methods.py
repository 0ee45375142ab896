"""Methods that code sends to the paths of the tables, compared with those of their rows. Pure."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping

from ..findings import Finding
from ..folding import HOLE, folded
from ..syntax_tree import nodes_of_kind
from ..text import raw_path

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"})
_SENDERS: Mapping[str, str] = {"fetch": "GET", **{method.lower(): method for method in _METHODS}}
"""Calls of a client, and the method each sends."""


class MethodSearch:
    """Search of one module for calls that name a path of the tables and a method that its row does not have.

    A path is followed from the function of the tables to the call, also through a constant of the module. It may stand
    after the method (`Request("PUT", path)`), or be the first argument of a client's call (`client.put(path)`).
    """

    def __init__(
        self, tree: ast.Module, names: Mapping[str, str], functions: Mapping[str, Callable[[str], str]],
        methods: Mapping[str, frozenset[str]],
    ) -> None:  # fmt: skip
        """Take the texts that names stand for, the functions of the tables, and the methods of each path or row."""
        self._names = names
        self._functions = functions
        self._methods = methods
        given: list[ast.stmt] = nodes_of_kind(tree, ast.Assign, ast.AnnAssign)
        self._paths = {
            target.id: path
            for node in given
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name) and (path := self._asked(node.value))
        }

    def findings(self, tree: ast.Module, shown: str) -> Iterator[Finding]:
        """Yield a finding for each call with a method that is in no row of its path."""
        for node in nodes_of_kind(tree, ast.Call):
            for method, place in self._sent(node):
                path = self._path(place)
                if path is not None and method not in self._methods.get(path, frozenset({method})):
                    text = f"sends {method} to {path}, which is in the tables with {self._known(path)}"
                    fix = "add a row to the tables of the contract, or correct the method"
                    yield Finding("CON015", raw_path(shown), text, fix, node.lineno)

    def _sent(self, node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
        if isinstance(node.func, ast.Attribute) and node.func.attr in _SENDERS and node.args:
            base = node.func.value
            name = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
            if "client" in name.lower():
                yield _SENDERS[node.func.attr], node.args[0]
        for before, after in zip(node.args, node.args[1:], strict=False):
            text = folded(before, self._names)
            if text in _METHODS:
                yield str(text), after

    def _path(self, node: ast.expr) -> str | None:
        return self._paths.get(node.id) if isinstance(node, ast.Name) else self._asked(node)

    def _asked(self, node: ast.expr) -> str | None:
        """Return the path or the row that an expression asks the tables for."""
        if not isinstance(node, ast.Call) or not node.args:
            return None
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        text = folded(node.args[0], self._names)
        if text is None or HOLE in text:
            return None
        if name not in self._functions:
            return text if name == "part" and text in self._methods else None
        try:
            return self._functions[name](text)
        except KeyError:
            return None

    def _known(self, path: str) -> str:
        return ", ".join(sorted(self._methods[path]))
