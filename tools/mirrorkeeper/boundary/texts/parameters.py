"""Parameters that pytest gives to tests by its mark `parametrize`, with the values of each. Pure.

Theory of operation: the values of a parameter are known where pytest alone calls the test: by its name, with marks of
pytest on it and its class alone, and where nothing in the file uses it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from ...syntax_tree import nodes_of_kind
from .given_values import Bindings

_CALLING = frozenset({"globals", "vars", "locals", "eval", "exec", "modules", "__dict__"})
"""Names by which a file can reach its functions otherwise."""
_HARMLESS = frozenset({"ids", "scope"})
_OF_VALUES = frozenset({"id", "marks"})
_Test = ast.FunctionDef | ast.AsyncFunctionDef


def parameters_of_tests(tree: ast.Module, bindings: Bindings) -> Iterator[tuple[str, Sequence[ast.expr]]]:
    """Yield name and values of each parameter of each test that nothing but pytest calls."""
    if not any(one.attr == "parametrize" for one in nodes_of_kind(tree, ast.Attribute)):
        return
    used = {node.id for node in nodes_of_kind(tree, ast.Name) if isinstance(node.ctx, ast.Load)}
    used |= {node.attr for node in nodes_of_kind(tree, ast.Attribute)}
    used |= {str(node.value) for node in nodes_of_kind(tree, ast.Constant)}
    if used & _CALLING or not bindings.is_own("pytest"):
        return
    around = {id(test): one for one in nodes_of_kind(tree, ast.ClassDef) for test in one.body}
    tests: list[_Test] = nodes_of_kind(tree, ast.FunctionDef, ast.AsyncFunctionDef)
    for one in tests:
        holder = around.get(id(one))
        marks = [*one.decorator_list, *(holder.decorator_list if holder else ())]
        by_pytest = all(ast.unparse(mark).startswith("pytest.mark.") for mark in marks)
        called = one.name in used or (holder is not None and holder.name in used)
        if one.name.startswith("test") and by_pytest and not called and not one.args.defaults:
            yield from _given(one, marks)


def _given(test: _Test, marks: Sequence[ast.expr]) -> Iterator[tuple[str, Sequence[ast.expr]]]:
    taken = {one.arg for one in test.args.args}
    for mark in marks:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.parametrize":
            yield from ((name, values) for name, values in _columns(mark).items() if name in taken)


def _columns(mark: ast.Call) -> Mapping[str, Sequence[ast.expr]]:
    """Return the values of each parameter of a mark; nothing where one of them is not certain."""
    if len(mark.args) != 2 or any(word.arg not in _HARMLESS for word in mark.keywords):  # noqa: PLR2004 - names, values
        return {}
    names, single = _names(mark.args[0])
    rows = [_row(one, single=single) for one in _elements(mark.args[1])]
    if not names or any(len(row) != len(names) for row in rows):
        return {}
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


def _names(node: ast.expr) -> tuple[Sequence[str], bool]:
    """Return the names of a mark, and whether a value is one of them by itself instead of a row."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        names = [name.strip() for name in node.value.split(",") if name.strip()]
        return names, len(names) == 1
    texts = [one.value for one in _elements(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return (texts if len(texts) == len(_elements(node)) else ()), False


def _row(value: ast.expr, *, single: bool) -> Sequence[ast.expr]:
    if isinstance(value, ast.Call):
        plain = all(word.arg in _OF_VALUES for word in value.keywords)
        return value.args if ast.unparse(value.func) == "pytest.param" and plain else ()
    return [value] if single else _elements(value)


def _elements(node: ast.expr) -> Sequence[ast.expr]:
    return node.elts if isinstance(node, ast.List | ast.Tuple) else ()
