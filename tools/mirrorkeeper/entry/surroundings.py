"""Conditions a statement of an entry point stands under, and statements that leave before it. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_LEAVES = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_ENDING = frozenset({"sys.exit", "os._exit", "os.abort", "exit", "quit"})
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Surroundings(NamedTuple):
    """Conditions around a statement, and what keeps it from being reached.

    Attributes:
        under: the conditions, from the outside in.
        left_at: the line that always leaves before it, or 0.
        replaced_at: the line after it that gives the name of its function another meaning, or 0.
    """

    under: tuple[str, ...] = ()
    left_at: int = 0
    replaced_at: int = 0


def surroundings(node: ast.stmt, tree: ast.Module) -> Surroundings:
    """Return the conditions and loops that a statement stands under; functions are no conditions."""
    return next(_below(node, [("", tree.body)], Surroundings()), Surroundings())


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
            if not here.left_at and _leaves(statement):
                here = here._replace(left_at=statement.lineno)


def _leaves(statement: ast.stmt) -> bool:
    """Return whether nothing after a statement runs: it leaves in every branch, or loops for ever."""
    if isinstance(statement, ast.If):
        return bool(statement.orelse) and all(any(map(_leaves, part)) for part in (statement.body, statement.orelse))
    if isinstance(statement, ast.While):
        always = isinstance(statement.test, ast.Constant) and bool(statement.test.value)
        return always and not _breaks(statement.body)
    return isinstance(statement, _LEAVES) or _ends(statement)


def _breaks(body: Sequence[ast.stmt]) -> bool:
    """Return whether a loop has a `break` of its own."""
    for statement in body:
        if isinstance(statement, ast.Break):
            return True
        if isinstance(statement, ast.For | ast.AsyncFor | ast.While):
            if _breaks(statement.orelse):
                return True
        elif not isinstance(statement, Scope) and any(_breaks(part) for _, part in _blocks(statement)):
            return True
    return False


def _ends(statement: ast.stmt) -> bool:
    """Return whether a statement is a call that ends the program."""
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    return ast.unparse(statement.value.func) in _ENDING


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
