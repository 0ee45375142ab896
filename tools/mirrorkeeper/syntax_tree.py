"""The nodes of a Python syntax tree, walked once for all searches of all gates. Pure.

`ast.walk` visits the markers of a name's use (load, store) like nodes of their own, and every search of the gates
walked each file anew: half of their time. The nodes of the last trees are kept, with the places of each kind of node,
so that a search looks only at the kinds it is about.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import NamedTuple, TypeVar

KEPT = 1024
"""Number of trees that are kept for the next search."""

# Those that make up most of a tree, and have fields that never hold a node.
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Constant: (),
    ast.Name: (),
    ast.alias: (),
    ast.Attribute: ("value",),
    ast.keyword: ("value",),
    ast.arg: ("annotation",),
}
_Node = TypeVar("_Node", bound=ast.AST)


class _Nodes(NamedTuple):
    """The nodes of a tree level by level, and the places at which each kind stands in them."""

    all: tuple[ast.AST, ...]
    places: dict[type[ast.AST], list[int]]


def children(node: ast.AST) -> list[ast.AST]:
    """Return the direct children, in the order of the fields; markers of a name's use are none."""
    found: list[ast.AST] = []
    for name in _fields(type(node)):
        value = getattr(node, name, None)
        if isinstance(value, list):
            found.extend([one for one in value if isinstance(one, ast.AST)])
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def _fields(kind: type[ast.AST]) -> tuple[str, ...]:
    fields = _FIELDS.get(kind)
    if fields is None:
        fields = _FIELDS[kind] = tuple(name for name in kind._fields if name != "ctx")
    return fields


def nodes_of(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Return the tree and all nodes below it, level by level, as `ast.walk` yields them."""
    return _walked(tree).all


def nodes_of_kind(tree: ast.AST, *kinds: type[_Node]) -> list[_Node]:
    """Return the nodes of exactly these kinds, in the order of `nodes_of`."""
    nodes, places = _walked(tree)
    if len(kinds) == 1:
        wanted = places.get(kinds[0], [])
    else:
        wanted = sorted(place for kind in kinds for place in places.get(kind, ()))
    return [nodes[place] for place in wanted]  # type: ignore[misc]


@lru_cache(maxsize=KEPT)
def _walked(tree: ast.AST) -> _Nodes:
    found: list[ast.AST] = [tree]
    places: dict[type[ast.AST], list[int]] = {}
    for place, node in enumerate(found):
        kind = type(node)
        same = places.get(kind)
        if same is None:
            places[kind] = [place]
        else:
            same.append(place)
        fields = _FIELDS.get(kind)
        for name in _fields(kind) if fields is None else fields:
            value = getattr(node, name, None)
            if value is None:
                continue
            if isinstance(value, list):
                found += [one for one in value if isinstance(one, ast.AST)]
            elif isinstance(value, ast.AST):
                found.append(value)
    return _Nodes(tuple(found), places)
