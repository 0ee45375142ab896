"""The nodes of a Python syntax tree, walked once for all searches of all gates. Pure.

`ast.walk` visits the markers of a name's use (load, store) like nodes of their own, and every search of the gates
walked each file anew: half of their time. The nodes of the last trees are kept, with the places of each kind of node,
so that a search looks only at the kinds it is about.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple, TypeGuard, TypeVar

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
# Python 3.11 builds a tree of three levels for each call it allows; these take 3 MB of the stack, which has 8.
_DEEP = 10_000


class _Nodes(NamedTuple):
    """The nodes of a tree level by level, and the places at which each kind stands in them."""

    all: tuple[ast.AST, ...]
    places: dict[type[ast.AST], list[int]]


def parsed(source: str | bytes, path: str = "<text>") -> ast.Module:
    """Parse a source; a sum of some ten thousand terms is a tree as deep, and no reason to give up.

    Raises:
        SyntaxError: it is no Python.
        RecursionError: it is nested deeper than that.
    """
    try:
        return ast.parse(source, path)
    except RecursionError:
        usual = sys.getrecursionlimit()
        sys.setrecursionlimit(max(usual, _DEEP))
        try:
            return ast.parse(source, path)
        finally:
            sys.setrecursionlimit(usual)


def is_sum(node: ast.AST) -> TypeGuard[ast.BinOp]:
    """Return whether a node is `a + b`."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)


def terms(node: ast.expr) -> list[ast.expr]:
    """Return the terms of `a + b + c` from left to right; anything else is one."""
    later = []
    while is_sum(node):
        later.append(node.right)
        node = node.left
    return [node, *reversed(later)]


@lru_cache(maxsize=KEPT)
def inner_sums(tree: ast.AST) -> frozenset[int]:
    """Return the ids of sums that another one begins with: their text is the beginning of its text."""
    return frozenset(id(node.left) for node in nodes_of_kind(tree, ast.BinOp) if is_sum(node) and is_sum(node.left))


def mentions(node: ast.AST, words: Iterable[str]) -> bool:
    """Return whether a name or a text that is a part of the node itself holds one of the words."""
    for name in node._fields:
        field = getattr(node, name, None)
        for value in field if isinstance(field, list) else [field]:
            if isinstance(value, str) and any(word in value for word in words):
                return True
    return False


def shown(node: ast.AST) -> str:
    """Return the source of a node for a message."""
    try:
        return ast.unparse(node)
    except RecursionError:
        return "a long expression"


def below(node: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes below one, in no order that counts."""
    waiting = children(node)
    while waiting:
        one = waiting.pop()
        yield one
        waiting += children(one)


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
