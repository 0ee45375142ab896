"""Conditions a statement of an entry point stands under, and statements that leave before it. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .leaving import Scope, leaves
from .reach import Reach


class Surroundings(NamedTuple):
    """Conditions around a statement, and what keeps it from being reached.

    Attributes:
        under: the conditions, from the outside in.
        left_at: the line that always leaves before it, or 0.
        replaced_at: the line after it that gives the name of its function another meaning, or 0.
        uncalled: the function around it that nothing calls when the module is run, or empty.
    """

    under: tuple[str, ...] = ()
    left_at: int = 0
    replaced_at: int = 0
    uncalled: str = ""


def surroundings(node: ast.stmt, tree: ast.Module) -> Surroundings:
    """Return the conditions and loops that a statement stands under; only special functions are conditions."""
    found = next(_below(node, [("", tree.body)], Surroundings()), Surroundings())
    outer = next((one for one in tree.body if any(each is node for each in ast.walk(one))), None)
    unused = isinstance(outer, Scope) and not Reach.of(tree).names(outer)
    return found._replace(uncalled=outer.name) if isinstance(outer, Scope) and unused else found


def _below(
    wanted: ast.stmt, blocks: Sequence[tuple[str, Sequence[ast.stmt]]], around: Surroundings
) -> Iterator[Surroundings]:
    for header, body in blocks:
        here = around._replace(under=(*around.under, header)) if header else around
        for at, statement in enumerate(body):
            if statement is wanted:
                yield here
                return
            inside = here
            if isinstance(statement, Scope) and not here.replaced_at:
                inside = here._replace(replaced_at=_replaced_at(statement, body[at + 1 :]))
            yield from _below(wanted, list(_blocks(statement)), inside)
            if not here.left_at and leaves(statement):
                here = here._replace(left_at=statement.lineno)


def _replaced_at(scope: Scope, after: Sequence[ast.stmt]) -> int:
    """Return the line that gives the name of a function or class another meaning, or 0; a setter adds to it."""
    for statement in after:
        if isinstance(statement, Scope):
            adds = any(isinstance(one, ast.Attribute) for one in statement.decorator_list)
            if statement.name == scope.name and not adds:
                return statement.lineno
        elif scope.name in _bound(statement):
            return statement.lineno
    return 0


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement gives a meaning that does not come from the names themselves."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        yield from (one.asname or one.name.partition(".")[0] for one in statement.names)
    elif isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        used = {one.id for one in ast.walk(statement.value) if isinstance(one, ast.Name)}
        yield from (one.id for one in targets if isinstance(one, ast.Name) and one.id not in used)


def _kind(scope: Scope) -> str:
    """Return the sort of a function that a call alone does not run; empty for any other, and for a class."""
    if isinstance(scope, ast.AsyncFunctionDef):
        return "async def"
    return "generator" if isinstance(scope, ast.FunctionDef) and _yields(scope) else ""


def _yields(node: ast.AST) -> bool:
    """Return whether a function has a `yield` of its own."""
    inner = [one for one in ast.iter_child_nodes(node) if not isinstance(one, Scope | ast.Lambda)]
    return any(isinstance(one, ast.Yield | ast.YieldFrom) or _yields(one) for one in inner)


def _blocks(node: ast.stmt) -> Iterator[tuple[str, Sequence[ast.stmt]]]:
    """Yield the blocks of a compound statement, each with its header in one plain form."""
    if isinstance(node, Scope):
        yield _kind(node), node.body
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
