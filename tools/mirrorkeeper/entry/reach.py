"""Functions of a module that are reached when it is run, by the names its code uses. Pure.

Only a module that asks for its own `__name__` is judged: another one is called from outside.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .leaving import Scope

_RUN = "__main__"


class Reach(NamedTuple):
    """Names that a run of the module reaches; None when it is not judged."""

    reached: frozenset[str] | None

    @classmethod
    def of(cls, tree: ast.Module) -> Reach:
        """Follow the names from the code at the top of the module through its functions and classes."""
        guards = [_guard(one) for one in tree.body]
        if not any(guards):
            return cls(None)
        scopes = {one.name: one for one in ast.walk(tree) if isinstance(one, Scope)}
        running = [one for one, name in zip(tree.body, guards, strict=True) if name in ("", _RUN)]
        found: set[str] = set()
        waiting = [name for one in running for name in _used(_at_load(one))]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting.extend(_used([scopes[name]]) if name in scopes else ())
        return cls(frozenset(found))

    def names(self, scope: Scope) -> bool:
        """Return whether a function or class may be reached; a decorator may hand it on."""
        return self.reached is None or scope.name in self.reached or bool(scope.decorator_list)


def _guard(statement: ast.stmt) -> str:
    """Return the name that an `if` compares the module's own with; empty for anything else."""
    match statement:
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()], comparators=[ast.Constant(value)])):
            return str(value)
        case ast.If(
            test=ast.Compare(left=ast.Name(id="__name__"), ops=[ast.NotEq()], comparators=[ast.Constant(value)]),
            orelse=[],
        ) if value == _RUN:
            return f"not {value}"
    return ""


def _at_load(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the parts of a statement that run when the module is loaded: of a function, not its body."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from (*statement.decorator_list, statement.args)
    else:
        yield statement


def _used(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names, attributes and texts in code: each may lead to a function of that name."""
    for node in nodes:
        for one in ast.walk(node):
            if isinstance(one, ast.Name):
                yield one.id
            elif isinstance(one, ast.Attribute):
                yield one.attr
            elif isinstance(one, ast.Constant) and isinstance(one.value, str):
                yield one.value
