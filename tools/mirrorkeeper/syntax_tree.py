"""The nodes of a Python syntax tree, walked once for all searches of a file. Pure.

`ast.walk` visits the markers of a name's use (load, store) like nodes of their own, and every search of the gates
walked each file anew: half of their time. The nodes of the last trees are kept.
"""

from __future__ import annotations

import ast
from functools import lru_cache

# Those that make up most of a tree, and have fields that never hold a node.
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Constant: (),
    ast.Name: (),
    ast.alias: (),
    ast.Attribute: ("value",),
    ast.keyword: ("value",),
    ast.arg: ("annotation",),
}
_LEAVES = frozenset(kind for kind, fields in _FIELDS.items() if not fields)


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


@lru_cache(maxsize=4)
def nodes_of(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Return the tree and all nodes below it, level by level, as `ast.walk` yields them."""
    found = [tree]
    for node in found:
        if type(node) not in _LEAVES:
            found.extend(children(node))
    return tuple(found)
