"""Names of the guarded package used by a file. Pure, but for asking whether a dotted name is a module."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..declaration.used_names import Symbol
from ..syntax_tree import nodes_of_kind
from .package_names import PackageNames

IsModule = Callable[[str], bool]
"""Return whether a dotted name is a module of the guarded package."""


def symbols_used(tree: ast.Module, names: PackageNames, is_module: IsModule) -> Iterator[tuple[Symbol, int]]:
    """Yield every name of the package the file uses, with its line.

    A name imported from a module counts; of a module that is imported as a whole, the attributes taken from it do.
    """
    aliases: dict[str, str] = {}
    imports: list[ast.stmt] = nodes_of_kind(tree, ast.Import, ast.ImportFrom)
    for node in imports:
        if isinstance(node, ast.Import):
            aliases.update(_modules(node, names))
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for name in node.names:
                full = names.own(f"{node.module}.{name.name}")
                if full and is_module(full):
                    aliases[name.asname or name.name] = full
                elif full:
                    yield Symbol(full.rpartition(".")[0], name.name), node.lineno
    yield from _of_modules(tree, names, is_module, aliases)


def _of_modules(
    tree: ast.Module, names: PackageNames, is_module: IsModule, aliases: dict[str, str]
) -> Iterator[tuple[Symbol, int]]:
    """Yield the names taken from modules that the file imports as a whole, by a statement or a call."""
    if not aliases and not any(names.own(_loaded(node)) for node in nodes_of_kind(tree, ast.Call)):
        return
    aliases.update(_assigned(tree, NameUses(names, is_module, aliases)))
    inner = {id(node.value) for node in nodes_of_kind(tree, ast.Attribute)}
    taken = NameUses(names, is_module, aliases)
    uses: list[ast.expr] = nodes_of_kind(tree, ast.Attribute, ast.Call)
    for node in uses:
        if isinstance(node, ast.Attribute) and id(node) not in inner:
            yield from taken.attribute(node)
        elif isinstance(node, ast.Call):
            yield from taken.by_text(node)


def _assigned(tree: ast.Module, known: NameUses) -> Iterator[tuple[str, str]]:
    """Yield the names that are given a module of the package and nothing else, each with the module."""
    given = [
        (node.targets[0].id, module)
        for node in nodes_of_kind(tree, ast.Assign)
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
        if (module := known.module(node.value))
    ]
    stored = Counter(node.id for node in nodes_of_kind(tree, ast.Name) if isinstance(node.ctx, ast.Store))
    yield from ((name, module) for name, module in given if stored[name] == 1)


def _modules(node: ast.Import, names: PackageNames) -> Iterator[tuple[str, str]]:
    """Yield the names a statement binds, each with its module: `import a.b` binds `a`, `import a.b as c` the module."""
    for name in node.names:
        if own := names.own(name.name):
            top = name.name.partition(".")[0]
            yield name.asname or top, own if name.asname else top


def _loaded(node: ast.Call) -> str:
    """Return the module that a call imports by a literal; empty of any other call."""
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    name = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
    if called not in ("import_module", "__import__", "importorskip") or not isinstance(name, str):
        return ""
    whole = called != "__import__" or node.args[3:] or any(word.arg == "fromlist" for word in node.keywords)
    return name if whole else name.partition(".")[0]


class NameUses(NamedTuple):
    """Uses of the modules that a file gave names to."""

    names: PackageNames
    is_module: IsModule
    aliases: Mapping[str, str]

    def module(self, node: ast.expr) -> str:
        """Return the module of the package that an expression is; empty of anything else."""
        module, left = self._module(node)
        return "" if left else module

    def attribute(self, node: ast.Attribute) -> Iterator[tuple[Symbol, int]]:
        """Yield the name that a chain of attributes takes from a module of the package."""
        module, left = self._module(node)
        if module and left:
            yield Symbol(module, left[0]), node.lineno

    def by_text(self, node: ast.Call) -> Iterator[tuple[Symbol, int]]:
        """Yield the name that `getattr` takes from a module of the package."""
        if not isinstance(node.func, ast.Name) or node.func.id != "getattr" or not node.args[1:]:
            return
        module, left = self._module(node.args[0])
        name = node.args[1].value if isinstance(node.args[1], ast.Constant) else None
        if module and not left and isinstance(name, str) and not self.is_module(f"{module}.{name}"):
            yield Symbol(module, name), node.lineno

    def _module(self, node: ast.expr) -> tuple[str, Sequence[str]]:
        """Return the module that a chain of attributes leads to, and the names after it; empty of another one."""
        path: list[str] = []
        at = node
        while isinstance(at, ast.Attribute):
            path.insert(0, at.attr)
            at = at.value
        module = self.aliases.get(at.id, "") if isinstance(at, ast.Name) else ""
        module = _loaded(at) if isinstance(at, ast.Call) else module
        while module and path and self._is_step(f"{module}.{path[0]}"):
            module = f"{module}.{path.pop(0)}"
        return self.names.own(module), path

    def _is_step(self, module: str) -> bool:
        own = self.names.own(module)
        return self.is_module(own) if own else self.names.is_above(module)
