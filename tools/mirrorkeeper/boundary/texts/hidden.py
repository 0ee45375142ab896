"""Places where Python could import anything and reading cannot say which: they are findings of their own. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from ...syntax_tree import children, nodes_of, nodes_of_kind, shown
from .listed_modules import gives_no_module

_JUDGED: tuple[type[ast.expr], ...] = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
_IMPORTERS = frozenset({"__import__", "import_module", "_gcd_import"})
_RUNNERS = frozenset({"exec", "eval"})
_SUSPECT = _IMPORTERS | _RUNNERS | {"modules", "__dict__"}
_BUILTINS = frozenset({"builtins", "__builtins__"})
_TAKING = frozenset({"getattr", "attrgetter", "methodcaller", "vars"})


class _Names(NamedTuple):
    """The names of a file for `sys.modules`, and for the module of built-in functions."""

    modules: frozenset[str]
    builtins: frozenset[str]


def hidden_imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and expression of each import that is handed on, text that is computed and run, use of `sys.modules`.

    A call of an importer by its own name is left to the reading of calls.
    """
    yield from _renamed(tree)
    known = _Names(frozenset(_modules_by_name(tree)), _BUILTINS | frozenset(_other_builtins(tree)))
    suspects = [node for node in nodes_of_kind(tree, *_JUDGED) if _is_suspect(node, known)]
    if not suspects:
        return
    parents = {id(child): node for node in nodes_of(tree) for child in children(node)}
    for node in suspects:
        parent = parents.get(id(node))
        if (
            _hands_on(node, parent, known)
            or _runs_computed(node, known)
            or _takes_by_text(node, known)
            or _is_all_of_sys(node)
            or (
                _is_modules(node, known.modules)
                and not _is_plain(node, parent, parents)
                and not gives_no_module(node, tree, parents)
            )
        ):
            yield getattr(node, "lineno", 0), shown(node)


def _renamed(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield each statement that takes a built-in function that may import by another name."""
    for node in nodes_of_kind(tree, ast.ImportFrom):
        if node.module == "builtins":
            for one in node.names:
                if one.name in _IMPORTERS | _RUNNERS and one.asname not in (None, one.name):
                    yield node.lineno, shown(node)


def _other_builtins(tree: ast.Module) -> Iterator[str]:
    for node in nodes_of_kind(tree, ast.Import):
        yield from (one.asname for one in node.names if one.name == "builtins" and one.asname)


def _is_suspect(node: ast.AST, known: _Names) -> bool:
    """Return whether a node is worth the search for the node it stands in, which few files need."""
    if isinstance(node, ast.Name):
        return node.id in _SUSPECT or node.id in known.modules
    if isinstance(node, ast.Attribute):
        return node.attr in _SUSPECT
    return _runs_computed(node, known) or _takes_by_text(node, known) or _is_all_of_sys(node)


def _name_of(node: ast.AST | None) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _hands_on(node: ast.AST, parent: ast.AST | None, known: _Names) -> bool:
    """An importer, or what runs text, that is passed, stored or renamed instead of called."""
    name = _name_of(node)
    called = isinstance(parent, ast.Call) and parent.func is node
    if name == "_gcd_import":
        return True
    return (
        (name in _IMPORTERS or _runner(node, known)) and not called and isinstance(getattr(node, "ctx", None), ast.Load)
    )


def _runs_computed(node: ast.AST, known: _Names) -> bool:
    if not isinstance(node, ast.Call) or not _runner(node.func, known):
        return False
    return bool(node.args) and not isinstance(node.args[0], ast.Constant) and not _compiles_literal(node.args[0])


def _runner(node: ast.AST, known: _Names) -> bool:
    """Return whether an expression is what runs text: by its own name, or as a part of `builtins`."""
    if isinstance(node, ast.Attribute) and not _is_builtins(node.value, known):
        return False
    return _name_of(node) in _RUNNERS


def _is_builtins(node: ast.AST, known: _Names) -> bool:
    """`builtins`, `vars(builtins)` or `builtins.__dict__`."""
    if isinstance(node, ast.Call):
        return _name_of(node.func) == "vars" and bool(node.args) and _is_builtins(node.args[0], known)
    if isinstance(node, ast.Attribute):
        return node.attr == "__dict__" and _is_builtins(node.value, known)
    return isinstance(node, ast.Name) and node.id in known.builtins


def _compiles_literal(node: ast.expr) -> bool:
    called = isinstance(node, ast.Call) and _name_of(node.func) == "compile" and bool(node.args)
    return called and isinstance(node, ast.Call) and isinstance(node.args[0], ast.Constant)


def _takes_by_text(node: ast.AST, known: _Names) -> bool:
    """An importer taken by its name: `getattr(x, "__import__")`, `vars(x)["__import__"]`; `exec` out of `builtins`."""
    if isinstance(node, ast.Call) and _name_of(node.func) in _TAKING:
        wanted = _IMPORTERS | _RUNNERS if node.args and _is_builtins(node.args[0], known) else _IMPORTERS
        return any(isinstance(one, ast.Constant) and one.value in wanted for one in node.args)
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Constant):
        return False
    return node.slice.value in (_IMPORTERS | _RUNNERS if _is_builtins(node.value, known) else _IMPORTERS)


def _is_all_of_sys(node: ast.AST) -> bool:
    """`vars(sys)`, `sys.__dict__`, or `getattr(sys, …)` with `modules` or a computed name."""
    if isinstance(node, ast.Attribute):
        return node.attr == "__dict__" and _name_of(node.value) == "sys"
    if not isinstance(node, ast.Call) or not node.args or _name_of(node.args[0]) != "sys":
        return False
    key = node.args[1] if node.args[1:] else None
    named = isinstance(key, ast.Constant) and key.value != "modules"
    return _name_of(node.func) == "vars" or (_name_of(node.func) == "getattr" and not named)


def _modules_by_name(tree: ast.Module) -> Iterator[str]:
    for node in nodes_of_kind(tree, ast.ImportFrom):
        if node.module == "sys":
            yield from (one.asname or one.name for one in node.names if one.name == "modules")


def _is_modules(node: ast.AST, names: frozenset[str]) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "modules" and _name_of(node.value) == "sys"
    return isinstance(node, ast.Name) and node.id in names


def key_of_modules(node: ast.AST) -> str:
    """Return the literal key under which a subscript or `get` takes a module from `modules`; empty of other nodes."""
    if isinstance(node, ast.Subscript):
        held, asked = node.value, node.slice
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        held, asked = node.func.value, node.args[0]
    else:
        return ""
    key = asked.value if isinstance(asked, ast.Constant) else None
    return key if _name_of(held) == "modules" and isinstance(key, str) else ""


def _is_plain(node: ast.AST, parent: ast.AST | None, parents: dict[int, ast.AST]) -> bool:
    """Return whether the key of `sys.modules` can be read: a literal, or the module's own `__name__`."""
    key: ast.AST | None = None
    if isinstance(parent, ast.Subscript) and parent.value is node:
        key = parent.slice
    elif isinstance(parent, ast.Compare):
        key = parent.left
    elif isinstance(parent, ast.Attribute) and parent.attr in ("get", "pop", "setdefault"):
        call = parents.get(id(parent))
        key = call.args[0] if isinstance(call, ast.Call) and call.func is parent and call.args else None
    return isinstance(key, ast.Constant) or (isinstance(key, ast.Name) and key.id == "__name__")
