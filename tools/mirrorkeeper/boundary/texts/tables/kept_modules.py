"""Copies of `sys.modules` that a function keeps to put back: no module is taken out of them. Pure."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ....syntax_tree import below, nodes_of_kind
from ..given_values import Bindings
from ..searched_texts import LOOKED_AT

_COUNTING = frozenset({"len", "set", "frozenset", "sorted", "list", "tuple"})
_Parents = Mapping[int, ast.AST]


def lists_names(call: ast.AST, parents: _Parents) -> bool:
    """Return whether a comprehension over the call `sys.modules.items()` uses the names alone."""
    comprehension = parents.get(id(call))
    whole = parents.get(id(comprehension))
    match comprehension:
        case ast.comprehension(target=ast.Tuple(elts=[ast.Name(), ast.Name(id=module)]), iter=over) if over is call:
            return whole is not None and not any(_is_use(one, module) for one in below(whole))
    return False


def is_kept(copy: ast.AST, tree: ast.Module, parents: _Parents) -> bool:
    """Return whether a function gives a copy a name, and only looks for names in it or puts it back."""
    match parents.get(id(copy)):
        case ast.Assign(targets=[ast.Name(id=name)]) as given:
            pass
        case _:
            return False
    if not _is_in_function(given, parents):
        return False  # another file could take modules out of it
    bindings = Bindings(tree)
    return bindings.is_used_only(name, _harmless(tree, bindings), bound=("Name",)) and not bindings.mentions(LOOKED_AT)


def copies(call: ast.AST, parents: _Parents) -> ast.AST | None:
    """Return the dictionary that a comprehension makes of the call `sys.modules.items()`, unchanged; else None."""
    comprehension = parents.get(id(call))
    made = parents.get(id(comprehension))
    match made:
        case ast.DictComp(
            key=ast.Name(id=key),
            value=ast.Name(id=value),
            generators=[ast.comprehension(target=ast.Tuple(elts=[ast.Name(id=name), ast.Name(id=module)]), ifs=tests)],
        ) if (key, value) == (name, module):
            used = any(_is_use(one, module) for test in tests for one in (test, *below(test)))
            return None if used else made
    return None


def _is_use(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)


def _is_in_function(node: ast.AST, parents: _Parents) -> bool:
    while (above := parents.get(id(node))) is not None:
        if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef):
            return True
        if isinstance(above, ast.ClassDef):
            return False
        node = above
    return False


def _harmless(tree: ast.Module, bindings: Bindings) -> set[int]:
    """Return the ids of uses that take no module: after `in`, in a loop, counted, and put back into `sys.modules`."""
    found: set[int] = set()
    for compared in nodes_of_kind(tree, ast.Compare):
        if isinstance(compared.ops[0], ast.In | ast.NotIn):
            found.add(id(compared.comparators[0]))
    loops: list[ast.For | ast.comprehension] = nodes_of_kind(tree, ast.For, ast.comprehension)
    found.update(id(loop.iter) for loop in loops)
    for call in nodes_of_kind(tree, ast.Call):
        match call:
            case ast.Call(func=ast.Name(id=name), args=[one], keywords=[]) if name in _COUNTING:
                found.update([id(one)] if not bindings.is_bound(name) else [])
            case ast.Call(func=ast.Attribute(value=held, attr="update"), args=[one], keywords=[]) if _is_table(held):
                found.update([id(one)] if bindings.is_own("sys") else [])
    return found


def puts_back(method: ast.AST, tree: ast.Module, parents: _Parents) -> bool:
    """Return whether `sys.modules.update` is given a copy that a function kept."""
    match parents.get(id(method)):
        case ast.Call(func=function, args=[ast.Name(id=name)], keywords=[]) as call if function is method:
            pass
        case _:
            return False
    kept = [
        node
        for node in nodes_of_kind(tree, ast.Assign)
        if any(isinstance(one, ast.Name) and one.id == name for one in node.targets)
    ]
    return _is_in_function(call, parents) and bool(kept) and all(_is_copy(one.value, tree, parents) for one in kept)


def _is_copy(value: ast.expr, tree: ast.Module, parents: _Parents) -> bool:
    match value:
        case ast.Call(func=ast.Name(id="dict"), args=[held], keywords=[]):
            made = _is_table(held) and not Bindings(tree).is_bound("dict")
        case ast.Call(func=ast.Attribute(value=held, attr="copy"), args=[], keywords=[]):
            made = _is_table(held)
        case ast.DictComp(generators=[ast.comprehension(iter=ast.Call(func=ast.Attribute(value=held)) as call)]):
            made = _is_table(held) and copies(call, parents) is value
        case _:
            made = False
    return made and is_kept(value, tree, parents)


def _is_table(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="sys"), attr="modules"):
            return True
    return False
