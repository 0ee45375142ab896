"""Names of the guarded package used by a file. Pure, but for asking whether a dotted name is a module."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from ..declaration.used_names import Symbol
from ..syntax_tree import nodes_of

IsModule = Callable[[str], bool]
"""Return whether a dotted name is a module of the guarded package."""


def symbols_used(tree: ast.Module, package: str, is_module: IsModule) -> Iterator[tuple[Symbol, int]]:
    """Yield every name of the package the file uses, with its line.

    A name imported from a module counts; of a module that is imported as a whole, the attributes taken from it do.
    """
    aliases: dict[str, str] = {}
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                if _is_below(name.name, package):
                    # `import a.b` binds `a`; `import a.b as c` binds the module itself.
                    aliases[name.asname or package] = name.name if name.asname else package
        elif isinstance(node, ast.ImportFrom) and not node.level and _is_below(node.module or "", package):
            for name in node.names:
                full = f"{node.module}.{name.name}"
                if is_module(full):
                    aliases[name.asname or name.name] = full
                else:
                    yield Symbol(node.module or "", name.name), node.lineno
    inner = {id(node.value) for node in nodes_of(tree) if isinstance(node, ast.Attribute)}
    for node in nodes_of(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inner:
            yield from _attribute(node, aliases, is_module)


def _attribute(node: ast.Attribute, aliases: dict[str, str], is_module: IsModule) -> Iterator[tuple[Symbol, int]]:
    names: list[str] = []
    at: ast.expr = node
    while isinstance(at, ast.Attribute):
        names.insert(0, at.attr)
        at = at.value
    module = aliases.get(at.id) if isinstance(at, ast.Name) else None
    if module is None:
        return
    for name in names:
        if is_module(f"{module}.{name}"):
            module = f"{module}.{name}"
        else:
            yield Symbol(module, name), node.lineno
            return


def _is_below(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")
