"""Settings and examples in Python that import the guarded package: entry points, lists of modules, doctests. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from ...syntax_tree import nodes_of_kind
from ..commands.patterns import command_of
from ..package_names import PackageNames

MODULE_LISTS = frozenset({"INSTALLED_APPS", "pytest_plugins", "CELERY_IMPORTS", "ROOT_URLCONF"})
"""Settings whose texts are imported: of Django, pytest and Celery."""
_Described = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
_Assigned = ast.Assign | ast.AnnAssign | ast.AugAssign
_DESCRIBED: tuple[type[_Described], ...] = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_ASSIGNED: tuple[type[_Assigned], ...] = (ast.Assign, ast.AnnAssign, ast.AugAssign)
_EXAMPLE = re.compile(r"\s*(?:>>>|\.\.\.)\s+(.*)")


def imports_by_settings(tree: ast.Module, names: PackageNames) -> Iterator[tuple[int, str]]:
    """Yield line and module of each entry point, of each module in a setting, and of each line of a doctest."""
    described: set[int] = set()
    for node in nodes_of_kind(tree, *_DESCRIBED):
        text = node.body[0] if node.body else None
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            described.add(id(text.value))
            yield from _examples(text.value, names)
    for given in nodes_of_kind(tree, *_ASSIGNED):
        yield from _listed(given, names)
    for one in nodes_of_kind(tree, ast.Constant):
        if isinstance(one.value, str) and names.package in one.value and id(one) not in described:
            for found in _point_of(names).finditer(one.value):
                yield one.lineno, found[1]


@lru_cache(maxsize=4)
def _point_of(names: PackageNames) -> re.Pattern[str]:
    """Return the pattern of an entry point, as in `name = package.module:function`."""
    return re.compile(rf"^\s*[\w.-]+\s*=\s*({names.pattern}(?:\.\w+)*):[A-Za-z_]", re.MULTILINE)


def _listed(node: _Assigned, names: PackageNames) -> Iterator[tuple[int, str]]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    if node.value is None or not any(isinstance(one, ast.Name) and one.id in MODULE_LISTS for one in targets):
        return
    for one in ast.walk(node.value):
        text = one.value if isinstance(one, ast.Constant) else None
        if isinstance(one, ast.Constant) and isinstance(text, str) and names.own(text) == names.package:
            yield one.lineno, text  # a dotted name is found wherever it stands


def _examples(text: ast.Constant, names: PackageNames) -> Iterator[tuple[int, str]]:
    if not isinstance(text.value, str) or names.package not in text.value:
        return
    for number, line in enumerate(text.value.split("\n")):
        code = _EXAMPLE.fullmatch(line)
        if code and names.package in line and command_of(names).search(code[1]):
            yield text.lineno + number, names.package
