"""`__name__` and `__package__`: which names they can stand for in a file, and files that are given the package's. Pure.

Theory of operation: a file is imported by the path to it, from whatever folder the search begins in, so that its name
ends in its own path. That holds where nothing in the file binds the two names or reaches for the table they stand in.
Another file can give a module a name, or run it under one: with the package's name written out that is a finding there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ...syntax_tree import mentions, nodes_of, nodes_of_kind
from ..package_names import PackageNames

OWN, AROUND, ABOVE, TOP, BEFORE = "\1", "\2", "\3", "\4", "\5"
"""Stand for a module's name, the package it lies in, its name without the last part, the first part of its name, and
its name without the last part where it has several."""
MARKS = (OWN, AROUND, ABOVE, TOP, BEFORE)
_SPEC = "__spec__"
_STANDING = {"__name__": OWN, "__package__": AROUND}
_GIVEN = frozenset({*_STANDING, "run_name"})
# The mark of the first part, by the method and the number it is given.
_CUT: Mapping[tuple[object, ...], str] = {
    ("rpartition",): ABOVE, ("partition",): TOP, ("rsplit", 1): BEFORE, ("split",): TOP, ("split", 1): TOP,
}  # fmt: skip
# What can bind a name that is not written as one.
_REACHING = frozenset(
    "globals vars locals setattr delattr exec eval __dict__ __setattr__ __globals__ f_globals modules".split()  # noqa: SIM905 - one line
)


def standing_for(tree: ast.Module, module: str) -> Mapping[str, str]:
    """Return the marks of `__name__` and `__package__` in a file; none where they may have been given other values.

    Args:
        tree: the file.
        module: its dotted name by its path in the project; empty when that is not known.
    """
    used = {node.id for node in nodes_of_kind(tree, ast.Name)} if module else set()
    if not used & {*_STANDING, _SPEC} or any(map(_may_bind, nodes_of(tree))):
        return {}
    return _STANDING | {f"{_SPEC}.parent": AROUND} if _SPEC in used and not _may_change_spec(tree) else _STANDING


def _may_change_spec(tree: ast.Module) -> bool:
    """Return whether a file may give `__spec__` another value, or another name: all but a look at parts of it."""
    plain: set[int] = set()
    for one in nodes_of_kind(tree, ast.Attribute):
        if one.attr == _SPEC:
            return True
        if one.attr in ("parent", "name") and isinstance(one.ctx, ast.Load):
            plain.add(id(one.value))
    return any(mentions(node, (_SPEC,)) and id(node) not in plain for node in nodes_of(tree))


def _may_bind(node: ast.AST) -> bool:
    if isinstance(node, ast.Name):
        return node.id in _REACHING or (node.id in _STANDING and not isinstance(node.ctx, ast.Load))
    if isinstance(node, ast.Attribute):
        return node.attr in _REACHING or (node.attr in _STANDING and not isinstance(node.ctx, ast.Load))
    if isinstance(node, ast.ImportFrom) and any(one.name == "*" for one in node.names):
        return True
    return mentions(node, _STANDING)


def spelled_out(text: str, module: str) -> set[str]:
    """Return the texts that one with marks can be, by each name that the file's module can have."""
    if not any(mark in text for mark in MARKS):
        return {text}
    parts = module.split(".")
    names = [".".join(parts[at:]) for at in range(len(parts))] + ["__main__"]
    # A module that is a package is around itself; which one it is its name does not tell.
    around = {two for one in names for two in (one, one.rpartition(".")[0])} if AROUND in text else {""}
    return {
        text.replace(OWN, one)
        .replace(AROUND, two)
        .replace(ABOVE, one.rpartition(".")[0])
        .replace(TOP, one.partition(".")[0])
        .replace(BEFORE, one.rpartition(".")[0] or one)
        for one in names
        for two in around
    }


def part_of_own(node: ast.expr, standing: Mapping[str, str] | None) -> str | None:
    """Return the mark of a part that `__name__` is cut into at its first or last dot; None of anything else."""
    if not standing or "__name__" not in standing:
        return None
    match node:
        case ast.Subscript(
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(id="__name__"), attr=way),
                args=[ast.Constant(value="."), *more],
                keywords=[],
            ),
            slice=ast.Constant(value=0),
        ):
            return _CUT.get((way, *(one.value if isinstance(one, ast.Constant) else None for one in more)))
    return None


def given_names(tree: ast.Module, guarded: PackageNames) -> Iterator[tuple[int, str]]:
    """Yield line and name where a module, or a file that is run, is given a name of the package."""
    for value in (*_assigned(tree), *_in_tables(tree), *_in_calls(tree)):
        if isinstance(value, ast.Constant) and isinstance(value.value, str) and guarded.own(value.value):
            yield value.lineno, value.value


def _assigned(tree: ast.Module) -> Iterator[ast.expr]:
    for node in nodes_of_kind(tree, ast.Assign):
        if any(_key(target) in _GIVEN for target in node.targets):
            yield node.value


def _in_tables(tree: ast.Module) -> Iterator[ast.expr]:
    for table in nodes_of_kind(tree, ast.Dict):
        for key, value in zip(table.keys, table.values, strict=True):
            if isinstance(key, ast.Constant) and key.value in _GIVEN:
                yield value


def _in_calls(tree: ast.Module) -> Iterator[ast.expr]:
    for call in nodes_of_kind(tree, ast.Call):
        yield from (word.value for word in call.keywords if word.arg in _GIVEN)
        called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        keys = [one.value for one in call.args if isinstance(one, ast.Constant)]
        if called in ("run_path", "run_module"):
            yield from call.args[2:3]
        elif any(isinstance(key, str) and key in _GIVEN for key in keys):
            yield from call.args


def _key(target: ast.expr) -> str:
    """Return the name that an assignment gives a value to, as a name, an attribute or a key."""
    if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
        return str(target.slice.value)
    return target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
