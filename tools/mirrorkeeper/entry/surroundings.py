"""Conditions a statement of an entry point stands under, and statements that leave before it. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_LEAVES = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_ENDING = frozenset({"sys.exit", "os._exit", "os.abort", "exit", "quit"})
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Surroundings(NamedTuple):
    """Conditions around a statement, from the outside in, and the line that always leaves before it, or 0."""

    under: tuple[str, ...] = ()
    left_at: int = 0


def surroundings(node: ast.stmt, tree: ast.Module) -> Surroundings:
    """Return the conditions and loops that a statement stands under; functions are no conditions."""
    return next(_below(node, [("", tree.body)], Surroundings()), Surroundings())


def _below(
    wanted: ast.stmt, blocks: Sequence[tuple[str, Sequence[ast.stmt]]], around: Surroundings
) -> Iterator[Surroundings]:
    for header, body in blocks:
        here = around._replace(under=(*around.under, header)) if header else around
        for statement in body:
            if statement is wanted:
                yield here
                return
            yield from _below(wanted, list(_blocks(statement)), here)
            if (isinstance(statement, _LEAVES) or _ends(statement)) and not here.left_at:
                here = here._replace(left_at=statement.lineno)


def _ends(statement: ast.stmt) -> bool:
    """Return whether a statement is a call that ends the program."""
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    return ast.unparse(statement.value.func) in _ENDING


def _blocks(node: ast.stmt) -> Iterator[tuple[str, Sequence[ast.stmt]]]:
    """Yield the blocks of a compound statement, each with its header in one plain form."""
    if isinstance(node, Scope):
        yield "", node.body
    elif isinstance(node, ast.If):
        yield f"if {ast.unparse(node.test)}", node.body
        yield f"unless {ast.unparse(node.test)}", node.orelse
    elif isinstance(node, ast.While):
        yield f"while {ast.unparse(node.test)}", node.body
        yield f"unless {ast.unparse(node.test)}", node.orelse
    elif isinstance(node, ast.For | ast.AsyncFor):
        yield f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}", node.body
        yield "else of a loop", node.orelse
    elif isinstance(node, ast.With | ast.AsyncWith):
        yield f"with {', '.join(map(ast.unparse, node.items))}", node.body
    elif isinstance(node, ast.Try | ast.TryStar):
        yield "try", node.body
        for handler in node.handlers:
            yield f"except {ast.unparse(handler.type)}" if handler.type else "except", handler.body
        yield "else of a try", node.orelse
        yield "", node.finalbody
    elif isinstance(node, ast.Match):
        for case in node.cases:
            yield f"case {ast.unparse(case.pattern)} of {ast.unparse(node.subject)}", case.body
