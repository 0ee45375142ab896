"""Names that stand for a few texts, each of which the file holds: those of loops and of parameters of tests. Pure.

Theory of operation: a name is known where one loop over literals, or pytest by its mark, is all that binds it. A list
of a module counts where nothing in the file uses it but loops; another file that puts the package's name into such a
list is a finding there.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping

from ...folding import looped
from ...syntax_tree import nodes_of_kind
from ..package_names import PackageNames
from .given_values import Bindings
from .searched_texts import LOOKED_AT, parametrized

_REACHING = LOOKED_AT | {"setattr", "__dict__", "__setattr__"}
_ADDING = frozenset({"append", "extend", "insert", "add", "update", "appendleft"})


def known_names(tree: ast.Module) -> Mapping[str, tuple[str, ...]]:
    """Return the texts that each known name can stand for; a name of a relative module is left out."""
    found = dict(looped(tree))
    bindings = Bindings(tree)
    stored = [node.id for node in nodes_of_kind(tree, ast.Name) if isinstance(node.ctx, ast.Store)]
    bound = Counter([*stored, *(node.arg for node in nodes_of_kind(tree, ast.arg))])
    for name, table in (*_of_tests(tree, bindings), *_of_lists(tree, bindings, bound)):
        texts = [one.value for one in table if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        if texts and len(texts) == len(table) and bound[name] == 1 and not any(one.startswith(".") for one in texts):
            found[name] = tuple(texts)
    return found


def _of_tests(tree: ast.Module, bindings: Bindings) -> Iterator[tuple[str, list[ast.expr]]]:
    """Yield the parameters of tests that nothing but pytest calls, by its marks alone."""
    used = {node.id for node in nodes_of_kind(tree, ast.Name) if isinstance(node.ctx, ast.Load)}
    functions: list[ast.FunctionDef | ast.AsyncFunctionDef] = nodes_of_kind(tree, ast.FunctionDef, ast.AsyncFunctionDef)
    for one in functions:
        by_pytest = all(ast.unparse(mark).startswith("pytest.mark.") for mark in one.decorator_list)
        if one.name.startswith("test") and by_pytest and one.name not in used and not one.args.defaults:
            for name, table in parametrized(one, bindings):
                if isinstance(table, ast.List | ast.Tuple):
                    yield name, table.elts


def _of_lists(tree: ast.Module, bindings: Bindings, bound: Mapping[str, int]) -> Iterator[tuple[str, list[ast.expr]]]:
    """Yield the names of loops over a list that has a name, and that the file uses for loops alone."""
    loops: list[ast.For | ast.AsyncFor | ast.comprehension] = nodes_of_kind(
        tree, ast.For, ast.AsyncFor, ast.comprehension
    )
    if any(one.name == "*" for node in nodes_of_kind(tree, ast.ImportFrom) for one in node.names):
        return  # which may bind any name
    iterated = {id(one.iter) for one in loops}
    for node in nodes_of_kind(tree, ast.Assign):
        target = node.targets[0]
        if not isinstance(node.value, ast.List) or not isinstance(target, ast.Name) or len(node.targets) > 1:
            continue
        only = bound[target.id] == 1 and bindings.is_used_only(target.id, iterated, bound=("Name",))
        if only and not bindings.mentions(_REACHING | {target.id}):
            for one in loops:
                if isinstance(one.iter, ast.Name) and one.iter.id == target.id and isinstance(one.target, ast.Name):
                    yield one.target.id, node.value.elts


def handed_names(tree: ast.Module, guarded: PackageNames) -> Iterator[tuple[int, str]]:
    """Yield line and name where a constant of another module is given a name of the package."""
    taken = {
        one.asname or one.name
        for node in nodes_of_kind(tree, ast.ImportFrom)
        for one in node.names
        if one.name.isupper()
    }
    for value in (*_added(tree, taken), *_replaced(tree)):
        for one in value.elts if isinstance(value, ast.List | ast.Tuple | ast.Set) else (value,):
            if isinstance(one, ast.Constant) and isinstance(one.value, str) and guarded.own(one.value):
                yield one.lineno, one.value


def _added(tree: ast.Module, taken: set[str]) -> Iterator[ast.expr]:
    for call in nodes_of_kind(tree, ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr in _ADDING and _is_foreign(call.func.value, taken):
            yield from call.args
    for node in nodes_of_kind(tree, ast.AugAssign):
        if _is_foreign(node.target, taken):
            yield node.value
    for one in nodes_of_kind(tree, ast.Assign):
        if any(isinstance(target, ast.Subscript) and _is_foreign(target.value, taken) for target in one.targets):
            yield one.value


def _replaced(tree: ast.Module) -> Iterator[ast.expr]:
    for node in nodes_of_kind(tree, ast.Assign):
        if any(isinstance(target, ast.Attribute) and target.attr.isupper() for target in node.targets):
            yield node.value


def _is_foreign(node: ast.expr, taken: set[str]) -> bool:
    return (isinstance(node, ast.Name) and node.id in taken) or (
        isinstance(node, ast.Attribute) and node.attr.isupper()
    )
