"""Places of a file where a table is read, so that nothing there can change it. Pure.

Theory of operation: a table stays as it is written where each use of its name gives an element, a copy, or a view that
is read on the spot. A view that is handed on counts as a use that may change it: it leads back to the table.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import TypeGuard

from ....syntax_tree import nodes_of_kind
from ..given_values import Bindings

_READING = frozenset({
    "all", "any", "enumerate", "filter", "frozenset", "len", "list", "map", "max", "min", "reversed", "set",
    "sorted", "tuple", "zip",
})  # fmt: skip
"""Built-in functions that take elements: those of a dictionary are its keys."""


class _View(ast.Call):
    """Call of `items`, `values` or `keys`, for the checker of types alone."""

    func: ast.Attribute


def reading_places(tree: ast.Module, bindings: Bindings) -> frozenset[int]:
    """Return the ids of expressions whose value is read alone."""
    read = [*_elements(tree, bindings), *_copied(tree, bindings)]
    found = {id(node) for node in read}
    found.update(id(node.func.value) for node in read if is_view(node))
    for call in nodes_of_kind(tree, ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "get":
            found.add(id(call.func.value))
    return frozenset(found)


def reads_globals(tree: ast.Module, bindings: Bindings) -> bool:
    """Return whether each use of `globals` is a call whose names are read, as `__dir__` of a module does."""
    if bindings.is_bound("globals"):
        return False
    read = list(_elements(tree, bindings))
    calls = [node.func.value if is_view(node) and node.func.attr == "keys" else node for node in read]
    return bindings.is_used_only("globals", _called(calls, "globals"))


def _called(nodes: Collection[ast.expr], name: str) -> set[int]:
    return {
        id(node.func)
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name and not node.args
    }


def _elements(tree: ast.Module, bindings: Bindings) -> Iterator[ast.expr]:
    """Yield expressions whose elements are taken one by one, or counted; of a dictionary the keys alone."""
    for compared in nodes_of_kind(tree, ast.Compare):
        if isinstance(compared.ops[0], ast.In | ast.NotIn):
            yield compared.comparators[0]
    yield from (one.value for one in nodes_of_kind(tree, ast.Starred) if isinstance(one.ctx, ast.Load))
    for sum_of in nodes_of_kind(tree, ast.BinOp):
        yield from (side for side in (sum_of.left, sum_of.right) if is_view(side))
    loops: list[ast.For | ast.AsyncFor | ast.comprehension] = nodes_of_kind(
        tree, ast.For, ast.AsyncFor, ast.comprehension
    )
    yield from (loop.iter for loop in loops)
    for call in nodes_of_kind(tree, ast.Call):
        match call.func:
            case ast.Attribute(value=ast.Constant(), attr="join"):
                yield from call.args
            case ast.Name(id=name) if name in _READING and not bindings.is_bound(name):
                yield from call.args


def _copied(tree: ast.Module, bindings: Bindings) -> Iterator[ast.expr]:
    """Yield expressions that a value is taken out of, or that are copied."""
    for subscript in nodes_of_kind(tree, ast.Subscript):
        if isinstance(subscript.ctx, ast.Load):
            yield subscript.value
    for table in nodes_of_kind(tree, ast.Dict):
        yield from (value for key, value in zip(table.keys, table.values, strict=True) if key is None)
    for call in nodes_of_kind(tree, ast.Call):
        yield from (word.value for word in call.keywords if word.arg is None)
        if isinstance(call.func, ast.Name) and call.func.id == "dict" and not bindings.is_bound("dict"):
            yield from call.args


def inside(call: ast.expr, name: str) -> ast.expr | None:
    """Return the first argument of a call of a function; None of anything else."""
    match call:
        case ast.Call(func=ast.Name(id=called_name), args=[inner, *_]) if called_name == name:
            return inner
    return None


def is_view(node: ast.expr) -> TypeGuard[_View]:
    """Return whether an expression is a call of `items`, `values` or `keys`."""
    match node:
        case ast.Call(func=ast.Attribute(attr="items" | "values" | "keys"), args=[], keywords=[]):
            return True
    return False
