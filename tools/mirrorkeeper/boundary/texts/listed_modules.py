"""Uses of `sys.modules` that hand out names, or nothing: no module is taken by them. Pure."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ...syntax_tree import nodes_of_kind
from .given_values import Bindings
from .tables.kept_modules import copies, is_kept, lists_names, puts_back

_LISTING = frozenset({"list", "tuple", "set", "frozenset", "sorted", "len"})
# Names by which a file can give another function the name of a built-in one, or reach the value of a statement.
_REACHING = frozenset({
    "globals", "vars", "locals", "exec", "eval", "builtins", "__builtins__", "__dict__", "__globals__", "f_globals",
    "f_builtins", "displayhook",
})  # fmt: skip
_RESULTS = frozenset({"_", "Out"})
_Parents = Mapping[int, ast.AST]


def gives_no_module(node: ast.AST, tree: ast.Module, parents: _Parents) -> bool:
    """Return whether a use of `sys.modules` asks for names, deletes from it, or keeps a copy to put back.

    Args:
        node: `sys.modules`, under whatever name.
        tree: the file.
        parents: the node that each one stands in, by its id.
    """
    parent = parents.get(id(node))
    match parent:
        case ast.For(iter=one) | ast.comprehension(iter=one) | ast.Subscript(value=one, ctx=ast.Del()):
            return one is node
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[held]):
            return held is node  # the answer is no module
        case ast.Attribute(value=value):
            return value is node and _is_method(parent, tree, parents)
        case ast.Call(func=ast.Name(id=name), args=[one], keywords=[]) if one is node:
            bindings = Bindings(tree)
            listed = name in _LISTING or (name == "dict" and is_kept(parent, tree, parents))
            return listed and not bindings.is_bound(name) and not bindings.mentions(_REACHING)
        case ast.Call(func=ast.Attribute(attr="dict"), args=[one, *_]) if one is node:
            return _is_put_back(parent, parents) and _is_patch(parent.func, Bindings(tree))
    return False


def _is_method(method: ast.Attribute, tree: ast.Module, parents: _Parents) -> bool:
    """Return whether a method of the table is called for names, for a copy to put back, or to delete and put back."""
    if method.attr in ("items", "copy"):
        return _is_plain_copy(method, tree, parents)
    if method.attr not in ("pop", "clear", "update") or not _is_dropped(method, tree, parents):
        return False
    return method.attr != "update" or puts_back(method, tree, parents)


def _is_plain_copy(method: ast.Attribute, tree: ast.Module, parents: _Parents) -> bool:
    """Return whether `items` or `copy` is called for names alone, or for a copy that is kept to put back."""
    match parents.get(id(method)):
        case ast.Call(func=function, args=[], keywords=[]) as call if function is method:
            pass
        case _:
            return False
    copy = call if method.attr == "copy" else copies(call, parents)
    return (method.attr == "items" and lists_names(call, parents)) or (
        copy is not None and is_kept(copy, tree, parents)
    )


def _is_dropped(method: ast.AST, tree: ast.Module, parents: _Parents) -> bool:
    """Return whether a method is called, and its answer kept by nothing: a notebook has names for it."""
    call = parents.get(id(method))
    whole = isinstance(call, ast.Call) and call.func is method and isinstance(parents.get(id(call)), ast.Expr)
    return whole and not any(one.id in _RESULTS for one in nodes_of_kind(tree, ast.Name))


def _is_put_back(call: ast.Call, parents: _Parents) -> bool:
    """Return whether a patch is a decorator, or stands after `with` and gives no name to what it patched."""
    match parents.get(id(call)):
        case ast.withitem(optional_vars=None):
            return True
        case ast.FunctionDef(decorator_list=marks) | ast.AsyncFunctionDef(decorator_list=marks):
            return call in marks
    return False


def _is_patch(function: ast.expr, bindings: Bindings) -> bool:
    """Return whether a function is `patch.dict` of `unittest.mock`."""
    if bindings.is_given("dict") or bindings.is_given("patch", methods=False) or bindings.mentions(_REACHING):
        return False
    match function:
        case ast.Attribute(value=ast.Name(id="patch")):
            return bindings.is_from("unittest.mock", "patch")
        case ast.Attribute(value=ast.Attribute(value=ast.Name(id="mock"), attr="patch")):
            return bindings.is_from("unittest", "mock")
    return False
