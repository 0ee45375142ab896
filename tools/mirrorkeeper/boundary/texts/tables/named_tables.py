"""Tables of a file with a name in capitals, and loops over literals: the texts that a name takes out of them. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeGuard

from ....syntax_tree import nodes_of_kind
from ..given_values import Bindings
from ..searched_texts import LOOKED_AT
from .reading_places import inside, is_view, reading_places, reads_globals

PART = "[]"
"""Ends the key of the values that a dictionary of that name can give."""
REACHING = LOOKED_AT | {"setattr", "__dict__", "__setattr__"}
"""Names by which a file can reach a table otherwise."""


def columns_of_tables(tree: ast.Module, bindings: Bindings) -> Iterator[tuple[str, Sequence[ast.expr]]]:
    """Yield the names that loops take out of rows and dictionaries, and the values of each dictionary with a name."""
    loops: list[ast.For | ast.AsyncFor | ast.comprehension] = nodes_of_kind(
        tree, ast.For, ast.AsyncFor, ast.comprehension
    )
    tables = dict(_named_tables(tree, bindings))
    for name, table in tables.items():
        if isinstance(table, ast.Dict):
            yield f"{name}{PART}", table.values
    enumerated = not bindings.is_bound("enumerate")
    for one in loops:
        target, over = one.target, one.iter
        if enumerated and isinstance(inner := inside(over, "enumerate"), ast.expr) and _are_two(target):
            target, over = target.elts[1], inner
        yield from _taken(target, _rows(over, tables))


def _are_two(target: ast.expr) -> TypeGuard[ast.Tuple]:
    return isinstance(target, ast.Tuple) and len(target.elts) == 2  # noqa: PLR2004 - number and element


def _named_tables(tree: ast.Module, bindings: Bindings) -> Iterator[tuple[str, ast.expr]]:
    """Yield the tables with a name in capitals at the top of a module, which nothing in the file can change."""
    places: frozenset[int] | None = None
    for node in tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=table)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as table)
            ):
                pass
            case _:
                continue
        # A row that is a list could be changed where a loop takes it.
        rows = table.elts if isinstance(table, ast.List | ast.Tuple) else ()
        plain = isinstance(table, ast.Dict) or (rows and all(isinstance(row, ast.Tuple) for row in rows))
        if not name.isupper() or not plain:
            continue
        places = reading_places(tree, bindings) if places is None else places
        only = bindings.is_used_only(name, places, bound=("Name",)) and bindings.is_bound_once(name)
        if only and not bindings.mentions(REACHING - ({"globals"} if reads_globals(tree, bindings) else set())):
            yield name, table


def _rows(over: ast.expr, tables: Mapping[str, ast.expr]) -> Sequence[ast.expr]:
    """Return what a loop over a literal, or a table of the file, takes one by one; nothing where it is not certain."""
    way = "keys"
    if is_view(over):
        way, over = over.func.attr, over.func.value
        over = over if isinstance(over, ast.Name | ast.Dict) else ast.Constant(None)
    over = tables.get(over.id, over) if isinstance(over, ast.Name) else over
    if isinstance(over, ast.Dict):
        if None in over.keys:
            return ()
        pairs = [(key, value) for key, value in zip(over.keys, over.values, strict=True) if key is not None]
        if way == "items":
            return [ast.Tuple([*pair], ast.Load()) for pair in pairs]
        return [pair[way == "values"] for pair in pairs]
    return over.elts if way == "keys" and isinstance(over, ast.List | ast.Tuple | ast.Set) else ()


def _taken(target: ast.expr, rows: Sequence[ast.expr]) -> Iterator[tuple[str, Sequence[ast.expr]]]:
    """Yield the names of a target, each with its column of the rows."""
    if isinstance(target, ast.Name):
        yield target.id, rows
    elif isinstance(target, ast.Tuple) and not any(isinstance(one, ast.Starred) for one in target.elts):
        parts = [row.elts if isinstance(row, ast.Tuple) else () for row in rows]
        starred = any(isinstance(one, ast.Starred) for part in parts for one in part)
        if not starred and all(len(part) == len(target.elts) for part in parts):
            for at, one in enumerate(target.elts):
                yield from _taken(one, [part[at] for part in parts])
