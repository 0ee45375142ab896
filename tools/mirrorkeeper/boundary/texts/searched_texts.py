"""Texts that a file only looks for in another one, as in `assert "import x" not in source`: they run nowhere. Pure."""

from __future__ import annotations

import ast
from functools import lru_cache

from ...syntax_tree import KEPT, mentions, nodes_of, nodes_of_kind

_CALLED = ("__contains__",)


@lru_cache(maxsize=KEPT)
def searched_for(tree: ast.Module) -> frozenset[int]:
    """Return the ids of texts on the left of `in` and `not in`; none in a file with a container of its own.

    Such a container is given the text, and could run it.
    """
    found = frozenset(
        id(node.left)
        for node in nodes_of_kind(tree, ast.Compare)
        if isinstance(node.ops[0], ast.In | ast.NotIn)
        and isinstance(node.left, ast.Constant | ast.JoinedStr | ast.BinOp)
    )
    return frozenset() if found and any(mentions(node, _CALLED) for node in nodes_of(tree)) else found
